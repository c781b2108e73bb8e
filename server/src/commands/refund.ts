import type { Command } from 'commander';
import { exportRefunds } from '../core/refunds/sql/exportRefunds.js';
import { command } from '../values/command.js';
import { withTeam } from './command.js';
import { refundCsvHeading, refundCsvLines, toExportedRefund } from './exportedRefund.js';
import { type CommandIo, note } from './io.js';
import { addSpanOptions, readSpan, type SpanOptions } from './orderFilter.js';
import {
  addExportOptions,
  batchRows,
  checkExportOptions,
  type ExportOptions,
  writeExport,
} from './writeExport.js';

/** `orderbeacon refund export` */
export function addRefundCommands(program: Command, io: CommandIo): void {
  const exporting = program
    .command('refund')
    .description('Refunds of stored orders.')
    .command('export')
    .description(
      'Writes all refunds, or those of a time, to stdout, in constant memory, by their own time. Times are in UTC, days in the zone of the team.',
    )
    .requiredOption('--team <id>', 'the team')
    .addHelpText(
      'after',
      `\nExample:\n  ${command} refund export --team team_… --format csv --since 2026-11-01 > refunds.csv`,
    );
  addSpanOptions(addExportOptions(exporting), 'refunds made').action(
    withTeam<ExportOptions & SpanOptions>(io, async ({ sql, team }, options) => {
      checkExportOptions(options);
      const { span, hint } = await readSpan(sql, options, 'refunds made');
      if (hint) note(io, hint);
      const { format, excel } = options;
      await writeExport(io, exportRefunds(sql, team.id, span).cursor(batchRows), {
        noun: 'refunds',
        format,
        toListed: toExportedRefund,
        csvHeading: refundCsvHeading(excel),
        toCsvLines: (refunds) => refundCsvLines(refunds, excel),
      });
      return undefined;
    }),
  );
}
