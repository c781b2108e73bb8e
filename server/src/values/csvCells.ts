import { stringify } from 'csv-stringify/sync';

/** Mark by which a spreadsheet program recognises UTF-8. Without it Excel shows "Zoë" garbled. */
export const byteOrderMark = '\uFEFF';

/** Matches formulas of spreadsheet programs, also after white space (OWASP, CSV injection) and in full width. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** A text that no spreadsheet program runs: a leading apostrophe makes text of what looks like a formula. */
export function inertText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** A text that Excel keeps to the letter: as a plain cell `007` becomes 7, and 17 digits become 15 and two zeros. */
export function excelText(text: string): string {
  return `="${text.replaceAll('"', '""')}"`;
}

/** Lines of CSV (RFC 4180). Texts must have been made inert. */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], { cast: { boolean: String } });
}
