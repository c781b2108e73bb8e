import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { readCell } from './csvCells.js';
import { decodeFile, notUtf8 } from './decodeFile.js';
import { FileError } from './errors.js';

/**
 * Most characters of one row of a CSV. Notes of a shop's orders can be long. A quote that is never closed includes everything after
 * it, and would fill the memory.
 */
const rowCharacters = 1_000_000;
/** Characters that are read before other work gets its turn. */
const turnCharacters = 1_024;
/** Most columns of a head line. */
const columnsAtMost = 2_000;
/** Characters that may separate the cells. */
const separators = [',', ';', '\t', '|'];

/** One row of a CSV, with the number of its last line in the file. */
export interface CsvRow {
  cells: string[];
  line: number;
}

/** A CSV whose head line has been read. */
export interface OpenCsv {
  head: readonly string[];
  rows: AsyncGenerator<CsvRow>;
}

/**
 * Reads the head line of a CSV, and then its rows in pieces, in constant memory. Commas, semicolons, tabs and bars may separate the
 * cells. The separator follows from the head line, or from Excel's line `sep=;` before it. Empty rows are skipped.
 * @throws FileError for a file that is not a CSV with a head line; the rows throw one if a row is too long
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<OpenCsv> {
  const rows = readRows(bytes);
  const { value } = await rows.next();
  return { head: value!.cells, rows };
}

async function* readRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, undefined> {
  const { separator, firstLine, text } = await readStart(decodeFile(bytes));
  const parser = parse({
    delimiter: separator,
    // One file may mix them: a program writes its head line itself, and a library the rows.
    record_delimiter: ['\r\n', '\n', '\r'],
    from_line: firstLine,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Spreadsheets write rows that only have separators.
    skip_records_with_empty_values: true,
    max_record_size: rowCharacters,
  });
  // An error in the pipe is thrown by the loop below, so the callback has nothing to do.
  const refuseLongRow = () => {
    const { record } = (parser as typeof parser & { state: { record: readonly string[] } }).state;
    refuseCells(record.length, parser.info.lines);
  };
  pipeline(inTurns(text, refuseLongRow), parser, () => {});
  let columns = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number; records: number };
    }>) {
      if (info.records === 1) columns = record.length;
      if (columns > columnsAtMost) throw new FileError('The first line is not a head line.');
      refuseCells(record.length, info.lines);
      if (info.records === 1) refuseQuotedLine(record, 2, info.lines);
      if (info.records === 2 && columns > 1) refuseQuotedLine(record, columns, info.lines);
      yield { cells: record, line: info.lines };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new FileError(
        `The row that begins near line ${Number(error.lines ?? 1)} never ends: a quote is not closed, or the file is not a CSV.`,
      );
    throw new FileError(`The file is not a CSV: ${error.message}.`);
  }
  if (columns === 0) throw new FileError('The file is empty.');
  return undefined;
}

/** Refuses a row of more cells than a head line may have. A million empty cells take 500 MB. */
function refuseCells(count: number, line: number): void {
  if (count > columnsAtMost)
    throw new FileError(
      `Line ${line} has more than ${columnsAtMost} cells: the file is not a CSV, or damaged.`,
    );
}

/** Reads the text of a cell, without spaces around it and without what makes it inert in a spreadsheet. */
export function cellText(cells: readonly string[], column: number): string {
  return readCell(cells[column] ?? '').trim();
}

/** Refuses a file whose lines are one quoted cell each, as a spreadsheet with another separator saves them. */
function refuseQuotedLine([cell = '', ...more]: string[], columns: number, line: number): void {
  const isWholeLine = more.length === 0 && separators.some((sign) => cell.split(sign).length >= columns);
  if (isWholeLine && !/^[{<]/.test(cell))
    throw new FileError(
      `Line ${line} is one cell, because it stands in quotes as a whole. Take the file as the shop exported it.`,
    );
}

const beginCharacters = 1_024;

/**
 * Refuses HTML, XML and JSON, which programs save under the name of a CSV or workbook.
 * @throws FileError that names the format
 */
function refuseMarkup(start: string): void {
  const begin = start.slice(0, beginCharacters).trimStart();
  const isHtml = /<(?:!doctype html|html|head|body|meta|div|style|script)\b|^<table\b/i.test(begin);
  const kind = begin.startsWith('<')
    ? `${isHtml ? 'an HTML page' : 'XML'}, whatever its name is. Open it in a spreadsheet, and save that as CSV`
    : /^(?:\{\s*["}]|\[\s*[{["\]])/.test(begin) && 'JSON, not a CSV. Export it as CSV';
  if (kind) throw new FileError(`The file is ${kind}.`);
}

/**
 * Reads until the end of the first line with a text, and finds the separator in it. Returns the whole text, including what was
 * read.
 */
async function readStart(pieces: AsyncGenerator<string>) {
  let start = '';
  let isInLine = false;
  let linesEnded = 0;
  // Kept apart, because searching the whole text for each piece would take the square of their number.
  let opening = '';
  while (linesEnded === 0 || (linesEnded === 1 && /^"?sep=/i.test(opening))) {
    const { value = '', done } = await pieces.next();
    if (done) break;
    if (opening.length < 5) opening += value.slice(0, 5);
    for (const sign of value) {
      const isEnd = sign === '\n' || sign === '\r';
      if (isEnd && isInLine) linesEnded++;
      isInLine = !isEnd;
    }
    start += value;
    if (start.length > rowCharacters && linesEnded === 0) {
      refuseMarkup(start);
      throw new FileError('The first line is too long for a head line.');
    }
  }
  refuseMarkup(start);
  const first = /[^\r\n]+/.exec(start)?.[0] ?? '';
  // UTF-16 without a byte order mark is valid UTF-8 with NULs. UTF-32 is, too, or it is valid UTF-16.
  if (first.includes('\0')) throw new FileError(notUtf8);
  async function* text() {
    yield start;
    yield* pieces;
  }
  const hint = /^"?sep=(.)"?\r?\n/i.exec(start);
  if (hint) return { separator: hint[1]!, firstLine: 2, text: text() };
  const head = first.replace(/"[^"]*"/g, '');
  const counted = separators.map((sign) => ({ sign, count: head.split(sign).length }));
  const { sign } = counted.reduce((most, each) => (each.count > most.count ? each : most));
  return { separator: sign, firstLine: 1, text: text() };
}

/**
 * Splits a text into pieces that take some milliseconds each, whatever pieces it arrived in. Other work gets its turn in between.
 * @param look throws because of what has been parsed so far
 */
async function* inTurns(text: AsyncIterable<string>, look: () => void): AsyncGenerator<string> {
  let held = '';
  for await (const piece of text) {
    held += piece;
    for (; held.length >= turnCharacters; held = held.slice(turnCharacters)) {
      await setImmediate();
      look();
      yield held.slice(0, turnCharacters);
    }
  }
  yield held;
}
