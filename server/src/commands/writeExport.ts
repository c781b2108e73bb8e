import { type Command, Option } from 'commander';
import { UsageError } from './command.js';
import { type CommandIo, createProgress, print } from './io.js';

/** The formats of an export. */
const exportFormats = ['csv', 'ndjson'] as const;

/** Values of the options that `addExportOptions` adds. */
export interface ExportOptions {
  format: (typeof exportFormats)[number];
  excel?: boolean;
}

/** Adds the options that choose the format of an export. */
export function addExportOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'csv or ndjson').choices(exportFormats).makeOptionMandatory())
    .option('--excel', 'CSV for Excel: marked as UTF-8, with ids such as 007 as text');
}

/** Throws `UsageError` for `--excel` with another format than CSV. */
export function checkExportOptions({ format, excel }: ExportOptions): void {
  if (excel && format !== 'csv') throw new UsageError('--excel needs --format csv.');
}

/** Number of rows in memory. */
export const batchRows = 1000;

/**
 * Writes rows to stdout, in batches and no faster than stdout accepts them. NDJSON has every value as it is stored.
 * @param options.noun noun of the rows in the progress line, such as `orders`
 */
export async function writeExport<Row, Listed>(
  io: CommandIo,
  batches: AsyncIterable<Row[]>,
  {
    noun,
    format,
    toListed,
    csvHeading,
    toCsvLines,
  }: Pick<ExportOptions, 'format'> & {
    noun: string;
    toListed: (row: Row) => Listed;
    csvHeading: string;
    toCsvLines: (rows: Listed[]) => string;
  },
): Promise<void> {
  const progress = createProgress(io, noun);
  if (format === 'csv') await print(io, csvHeading);
  let written = 0;
  for await (const batch of batches) {
    const rows = batch.map(toListed);
    await print(
      io,
      format === 'csv' ? toCsvLines(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    written += rows.length;
    progress.show(written);
  }
  progress.end(written);
}
