import { fstatSync } from 'node:fs';

/**
 * True when stdout goes to systemd's journal, which is kept and which others than the operator may read.
 * systemd sets `JOURNAL_STREAM` to device and inode of the stream (systemd.exec, "Environment Variables").
 */
export function isJournal(stream: string | undefined = process.env.JOURNAL_STREAM): boolean {
  if (!stream) return false;
  const { dev, ino } = fstatSync(1);
  return stream === `${dev}:${ino}`;
}
