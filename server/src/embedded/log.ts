import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, openSync, readFileSync, renameSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './home.js';

/**
 * Returns the path of PostgreSQL's messages since its last start. The messages of the previous start are in `postgres.before.log`.
 */
export const logFile = (homeFolder: string) => join(homeFolder, 'postgres.log');

/** Opens a file for the messages of one start. Several starts may compete. */
export function openLog({ folder, user }: Home): { path: string; log: number } {
  const path = join(folder, `starting-${randomBytes(6).toString('hex')}.log`);
  const log = openSync(path, 'a', 0o600);
  if (user) chownSync(path, user.uid, user.gid);
  return { path, log };
}

/** Moves the messages of a start, which may still grow, to the path of the last start's messages. */
export function keepLog(homeFolder: string, path: string): void {
  const last = logFile(homeFolder);
  if (existsSync(last)) renameSync(last, join(homeFolder, 'postgres.before.log'));
  renameSync(path, last);
}

/** Free space below which a disk counts as full. */
const fullBelowBytes = 1_000_000;

/** Returns the last line in which PostgreSQL gives the reason of its end, without time and level. */
export function lastComplaint(path: string): string {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC)\b/.test(line));
  if (fatal !== undefined) return fatal.replace(/^.*?(FATAL|PANIC):\s*/, '');
  // On a full disk the reason cannot be written either. The files that the start removed may have freed a little space.
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize < fullBelowBytes) return 'No space left on device';
  return lines.at(-1) || 'it gave no reason';
}
