import { statSync } from 'node:fs';

/** What a folder stays through every renaming. */
export interface FolderId {
  dev: bigint;
  ino: bigint;
}

/** Null where there is nothing, or nothing that we may look at. */
export function folderId(path: string): FolderId | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}

/** True when both are there and are one and the same. */
export function isSameFolder(one: FolderId | null, other: FolderId | null): boolean {
  return one !== null && other !== null && one.dev === other.dev && one.ino === other.ino;
}
