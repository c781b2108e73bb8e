import { type Command, Option } from 'commander';
import { UsageError } from './command.js';

/** The formats of an export. */
export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The options that `addExportOptions` adds, as commander gives them. */
export interface ExportOptions {
  format: ExportFormat;
  excel?: boolean;
}

/** Gives a command the options that say how rows are written. */
export function addExportOptions(command: Command, { isFormatNeeded }: { isFormatNeeded: boolean }): Command {
  const format = new Option('--format <format>', 'csv or ndjson').choices(exportFormats);
  return command
    .addOption(isFormatNeeded ? format.makeOptionMandatory() : format)
    .option('--excel', 'CSV for Excel: marked as UTF-8, and ids such as 007 stay text');
}

/** Throws `UsageError` for `--excel` with another format than CSV. */
export function checkExportOptions({ format, excel }: Partial<ExportOptions>): void {
  if (excel && format !== 'csv') throw new UsageError('--excel goes with --format csv.');
}
