import { type Command, Option } from 'commander';
import { UsageError } from './command.js';

/** The formats of an export. */
const exportFormats = ['csv', 'ndjson'] as const;

/** Format of an export. */
export type ExportFormat = (typeof exportFormats)[number];

/** Values of the options that `addExportOptions` adds. */
export interface ExportOptions {
  format: ExportFormat;
  excel?: boolean;
}

/** Adds the options that choose the format of an export. */
export function addExportOptions(command: Command, { isFormatNeeded }: { isFormatNeeded: boolean }): Command {
  const format = new Option('--format <format>', 'csv or ndjson').choices(exportFormats);
  return command
    .addOption(isFormatNeeded ? format.makeOptionMandatory() : format)
    .option('--excel', 'CSV for Excel: marked as UTF-8, with ids such as 007 as text');
}

/** Throws `UsageError` for `--excel` with another format than CSV. */
export function checkExportOptions({ format, excel }: Partial<ExportOptions>): void {
  if (excel && format !== 'csv') throw new UsageError('--excel needs --format csv.');
}
