import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { FileError } from './fileError.js';

/**
 * Characters of one row of a CSV. Notes of a shop's orders can be long; a quote that is never closed takes all that follows,
 * and would fill the memory.
 */
export const rowCharacters = 1_000_000;
/** Ends of lines, which one file may mix: a program writes its head line by itself, and a library the rows. */
export const lineEnds = ['\r\n', '\n', '\r'];
/** Characters that are read before other work has its turn. */
const turnCharacters = 8_192;
/** Columns of a head line. */
const columnsAtMost = 2_000;

/** One row of a CSV, with the number of its last line in the file. */
export interface CsvRow {
  cells: string[];
  line: number;
}

/**
 * Reads a CSV in pieces, in constant memory: first its head line, then its rows. Commas, semicolons, tabs and bars may
 * separate the cells; the head line tells. A line `sep=;` before it, which Excel reads, is skipped, and so are empty lines.
 * @throws FileError for a file without a head line, and for a row that is too long
 */
export async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const { start, rest, skipped } = await splitHead(text);
  const parser = parse({
    delimiter: separatorOf(start),
    record_delimiter: lineEnds,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Spreadsheets leave rows of separators behind.
    skip_records_with_empty_values: true,
    max_record_size: rowCharacters,
  });
  // An error in the pipe is thrown by the loop below, so the callback has nothing to do.
  pipeline(rest, parser, () => {});
  let hasHead = false;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (!hasHead && record.length > columnsAtMost)
        throw new FileError('The first line is not a head line.');
      hasHead = true;
      yield { cells: record, line: info.lines + skipped };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new FileError(
        `The row that begins near line ${Number(error.lines ?? 1) + skipped} never ends: a quote is not closed, or the file is not a CSV.`,
      );
    throw new FileError(`The file is not a CSV: ${error.message}.`);
  }
  if (!hasHead) throw new FileError('The file is empty.');
}

/** Reads the first line, which tells the separator. The rest begins with it again, but not with a line `sep=;`. */
async function splitHead(text: AsyncIterable<string>) {
  const pieces = text[Symbol.asyncIterator]();
  let start = '';
  let skipped = 0;
  for (;;) {
    const hint = /^\uFEFF?"?sep=(.)"?\r?\n/i.exec(start);
    if (hint) {
      start = start.slice(hint[0].length);
      skipped = 1;
    }
    start = start.replace(/^[\r\n]+/, (lines) => {
      skipped += lines.split('\n').length - 1;
      return '';
    });
    if (/[^\r\n][\r\n]/.test(start) && (skipped > 0 || !/^\uFEFF?"?sep=/i.test(start))) break;
    if (start.length > rowCharacters) throw new FileError('The first line is too long for a head line.');
    // Only a line end can end the head line. To look at all that came for each piece would take the square of their number.
    let [isDone, hasEnd] = [false, false];
    while (!isDone && !hasEnd && start.length <= rowCharacters) {
      const { value = '', done } = await pieces.next();
      isDone = done === true;
      hasEnd = /[\r\n]/.test(value);
      start += value;
    }
    if (isDone) break;
  }
  async function* rest() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { start, rest: inTurns(rest()), skipped };
}

/** Puts a text into pieces that take some milliseconds each, however it came. In between other work has its turn. */
async function* inTurns(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of text) {
    held += piece;
    for (; held.length >= turnCharacters; held = held.slice(turnCharacters)) {
      await setImmediate();
      yield held.slice(0, turnCharacters);
    }
  }
  yield held;
}

/** The separator that the head line has most of, outside of quotes. */
function separatorOf(start: string): string {
  const head = (/^[^\r\n]*/.exec(start)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).sign;
}
