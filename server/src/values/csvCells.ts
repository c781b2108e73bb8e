import { stringify } from 'csv-stringify/sync';

/** Matches formulas of spreadsheet programs, also after white space (OWASP, CSV injection) and in full width. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** Puts an apostrophe before a text that looks like a formula, so that no spreadsheet program runs it. */
export function inertText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Writes a text so that Excel does not change it: in a plain cell `007` becomes 7, and 17 digits become 15 and two zeros. */
export function excelText(text: string): string {
  return `="${text.replaceAll('"', '""')}"`;
}

/** Writes lines of CSV (RFC 4180). Texts must be inert already. */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], { cast: { boolean: String } });
}
