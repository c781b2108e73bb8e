import type { Issue } from '@orderbeacon/sdk/contract';

/** Warnings of one answer. 500 bad items must not make an answer of 3,000 warnings. */
const warningsAtMost = 20;
/** Length of a path. A page chooses the names of its fields, so a path could have 60,000 characters. */
const pathLengthAtMost = 200;

/** Names of fields and places in lists, from the body on. */
export type Path = readonly (string | number)[];

/** Notes what happened to one field. */
export type Warn = (path: Path, message: string) => void;

/** Collects the changes to a report: the first 20, and one more entry that counts the rest. */
export function createWarnings(): { warn: Warn; list: () => Issue[] } {
  const first: Issue[] = [];
  let more = 0;
  return {
    warn(path, message) {
      if (first.length < warningsAtMost) first.push({ path: shorten(path.join('.')), message });
      else more++;
    },
    list: () =>
      more === 0 ? first : [...first, { path: '', message: `${more} more were changed or left out` }],
  };
}

/** Cuts a path to 200 characters. */
export function shorten(path: string): string {
  return path.length > pathLengthAtMost ? `${path.slice(0, pathLengthAtMost)}…` : path;
}
