/** Prints a line. */
export const notify = (line: string) => process.stdout.write(`${line}\n`);

/** Prints a row of a table: the first cell to the left, the others to the right. */
export function row(...cells: (string | number)[]): void {
  notify(cells.map((cell, at) => (at === 0 ? `${cell}`.padEnd(36) : `${cell}`.padStart(12))).join(''));
}

export const count = (n: number) => Math.round(n).toLocaleString('en');
export const ratio = (a: number, b: number) => (a / b).toFixed(2);
export const ms = (n: number) => n.toFixed(2);
export const us = (n: number | null) => (n === null ? '-' : n.toFixed(1));
