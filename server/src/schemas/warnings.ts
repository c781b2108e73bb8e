import type { Issue } from '@orderbeacon/sdk/contract';

/** More would help nobody, and 500 bad items must not make an answer of 3,000 warnings. */
const warningsAtMost = 20;
/** A page chooses the names of its fields, and a path may hold several of 60,000 characters. */
const pathLengthAtMost = 200;

/** Notes what became of one field. */
export type Warn = (path: string, message: string) => void;

/** Collects what was changed or left out of a report: the first 20, and a last one that counts the rest. */
export function createWarnings(): { warn: Warn; list: () => Issue[] } {
  const first: Issue[] = [];
  let more = 0;
  return {
    warn(path, message) {
      if (first.length < warningsAtMost) first.push({ path: shorten(path), message });
      else more++;
    },
    list: () =>
      more === 0 ? first : [...first, { path: '', message: `${more} more were changed or left out` }],
  };
}

/** A path that fits into an answer. */
export function shorten(path: string): string {
  return path.length > pathLengthAtMost ? `${path.slice(0, pathLengthAtMost)}…` : path;
}
