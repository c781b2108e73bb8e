import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it; what is there already stays as it is. Throws the system's own error. Not
 * `mkdirSync` with `recursive`: under /proc, where nothing can be made, that one tries again for ever
 * (seen with Node 20.20).
 * @param path absolute
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
