import { stringify } from 'csv-stringify/sync';

/**
 * Characters that spreadsheet programs skip before a formula, and the signs that begin one, also in full width (OWASP, CSV
 * injection).
 */
const skipped = String.raw`[\s\p{C}"']`;
const sign = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`;

/**
 * Matches the sign that begins a formula, with all skipped characters before it. A match starts only at the first of these: trying
 * each one takes the square of their number.
 */
const formulas = new RegExp(`(?<!${skipped})${skipped}*${sign}`, 'gu');
const anySign = new RegExp(sign, 'u');
const formulasInLiteral = new RegExp(`(?<=^"|[;,|])(${skipped}*)(${sign})`, 'gu');

/** Matches a negative number, which is no formula. */
const plainNumber = /^-\d+(\.\d+)?$/;

/**
 * Puts an apostrophe before each part of a text that looks like a formula, so that no spreadsheet program runs it. A plain negative
 * number is unchanged.
 */
export function inertText(text: string): string {
  return plainNumber.test(text) ? text : replaceInFormulas(text, /(?<=[\t\r\n])/g, "'");
}

/**
 * Replaces characters before a formula at the start of a cell. A part after `;`, `,` or `|` counts as a cell, because a program
 * with another separator makes it one.
 */
function replaceInFormulas(text: string, found: RegExp, by: string): string {
  return text.replace(formulas, (formula, at: number) => {
    const start = at === 0 || ';,|'.includes(text[at - 1]!) ? '\n' : '';
    return (start + formula).replace(found, by).slice(start.length);
  });
}

/** Writes JSON without anything that looks like a formula. The sign that begins one in a text becomes a JSON escape. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    // Few have a sign, and searching for formulas takes seven times as long.
    anySign.test(literal) ? literal.replace(formulasInLiteral, escapeSign) : literal,
  );
}

function escapeSign(_all: string, before: string, found: string): string {
  return `${before}\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Writes a text so that Excel does not change it. In a plain cell `007` becomes 7, and 17 digits become 15 and two zeros. A text
 * with a separator is written plainly, because Excel could split it.
 */
export function excelText(text: string): string {
  return /[;,|\t\r\n]/.test(text) ? inertText(text) : `="${text.replaceAll('"', '""')}"`;
}

/** Reads the original text of a cell that `inertText` or `excelText` wrote. */
export function readCell(cell: string): string {
  // Most cells have neither, and the patterns take a microsecond.
  if (!cell.startsWith('=') && !cell.includes("'")) return cell;
  const [, text] = /^="((?:[^"]|"")*)"$/.exec(cell) ?? [];
  return text === undefined ? replaceInFormulas(cell, /(?<=[\t\r\n])'/g, '') : text.replaceAll('""', '"');
}

/** Writes lines of CSV (RFC 4180). Texts must be inert already. */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], { cast: { boolean: String } });
}
