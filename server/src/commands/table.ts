import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';

/** A cell of `table`. Times are written as ISO 8601, and null as a hyphen. */
export type Cell = string | number | Date | null;

const showCell = (cell: Cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? '-'));

/**
 * Lays rows out in columns under a heading. Without rows it returns `None.`. Unprintable characters are replaced; `--json` has
 * the exact texts.
 */
export function table(heading: string[], rows: Cell[][]): string {
  if (rows.length === 0) return 'None.';
  const cells = [heading, ...rows.map((row) => row.map((cell) => sanitizeForTerminal(showCell(cell))))];
  // A loop, because Math.max cannot take 200,000 arguments.
  const widths = heading.map((_, at) => cells.reduce((width, row) => Math.max(width, row[at]!.length), 0));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
