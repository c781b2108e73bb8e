import { statfs } from 'node:fs/promises';
import { type Check, fail, pass } from '../../commands/check.js';

/** Least free space. A million orders take 0.54 GB, and PostgreSQL stops when its disk is full. */
const freeAtLeastBytes = 1e9;

/** Checks the free space on the disk of the embedded database's folder. */
export async function checkDisk(folder: string, read: typeof statfs = statfs): Promise<Check> {
  const { bavail, blocks, bsize } = await read(folder);
  const gigabytes = (count: number) => `${((count * bsize) / 1e9).toFixed(1)} GB`;
  const message = `${gigabytes(bavail)} of ${gigabytes(blocks)} are free on the disk of ${folder}.`;
  if (bavail * bsize >= freeAtLeastBytes) return pass('disk', message);
  return fail('disk', message, 'Free some space: when the disk is full, every report gets 503.');
}
