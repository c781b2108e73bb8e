import type { Command } from 'commander';
import { requireTeam, withDatabase } from './command.js';
import { addExportOptions, checkExportOptions, type ExportOptions } from './exportOptions.js';
import { type CommandIo, note } from './io.js';
import { exportOrders } from './orderExport.js';
import { addFilterOptions, type FilterOptions, readFilter } from './orderFilter.js';
import { createProgress } from './progress.js';

/** `orderbeacon order export` */
export function addOrderExport(order: Command, io: CommandIo): void {
  const command = order
    .command('export')
    .description(
      'Writes all orders, or those of the options, to stdout, in constant memory. Times are in UTC.',
    )
    .requiredOption('--team <id>', 'the team')
    .addHelpText(
      'after',
      '\nExample:\n  orderbeacon order export --team team_… --format csv --excel > orders.csv',
    );
  addFilterOptions(addExportOptions(command, { isFormatNeeded: true })).action(
    withDatabase<{ team: string } & ExportOptions & FilterOptions>(io, async ({ sql }, options) => {
      checkExportOptions(options);
      const { filter, hint } = readFilter(options);
      const team = await requireTeam(sql, options.team);
      if (hint) note(io, hint);
      const progress = createProgress(io, 'orders');
      const written = await exportOrders(io, sql, team.id, filter, options, progress.show);
      progress.end(written);
      return undefined;
    }),
  );
}
