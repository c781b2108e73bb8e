import { fstatSync } from 'node:fs';

/**
 * True when stdout goes to systemd's journal, which keeps what it is given and shows it to others than the operator.
 * systemd sets `JOURNAL_STREAM` to device and inode of the stream (systemd.exec, "Environment Variables").
 */
export function isJournal(stream: string | undefined = process.env.JOURNAL_STREAM): boolean {
  if (!stream) return false;
  const { dev, ino } = fstatSync(1);
  return stream === `${dev}:${ino}`;
}
