import type { Command } from 'commander';
import { note, requireTeam, withDatabase } from './command.js';
import { addExportOptions, checkExportOptions, type ExportOptions } from './exportOptions.js';
import { exportOrders } from './orderExport.js';
import { addFilterOptions, type FilterOptions, readFilter } from './orderFilter.js';
import { createProgress } from './progress.js';

/** `orderbeacon order export` */
export function addOrderExport(order: Command): void {
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
    withDatabase<{ team: string } & ExportOptions & FilterOptions>(async ({ sql }, options) => {
      checkExportOptions(options);
      const { filter, hint } = readFilter(options);
      const team = await requireTeam(sql, options.team);
      if (hint) note(hint);
      const progress = createProgress('orders');
      const written = await exportOrders(sql, team.id, filter, options, process.stdout, progress.show);
      progress.end(written);
      return undefined;
    }),
  );
}
