import { chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SystemUser } from './user.js';

/** Identity of a folder, which stays the same if the folder is renamed. */
export interface FolderId {
  dev: bigint;
  ino: bigint;
}

/**
 * Creates a folder and those above it; existing ones are unchanged. Throws the system's own error. Does not use `mkdirSync` with
 * `recursive`, which tries forever under /proc, where nothing can be created (seen with Node 20.20).
 * @param path absolute
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it concurrently.
    if (!isFolder(path)) throw error;
  }
}

/**
 * Creates a folder that only its user can enter.
 * @param user null is the current user
 */
export function makePrivateFolder(path: string, user: SystemUser | null): void {
  makeFolder(path, 0o700);
  if (user) chownSync(path, user.uid, user.gid);
}

/** Reads a folder's identity; null if it does not exist or cannot be accessed. */
export function folderId(path: string): FolderId | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}

/** @returns true if both exist and are the same folder */
export function isSameFolder(one: FolderId | null, other: FolderId | null): boolean {
  return one !== null && other !== null && one.dev === other.dev && one.ino === other.ino;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
