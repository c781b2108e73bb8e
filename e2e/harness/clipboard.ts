import { mkdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** Permissions of a page that copies, and of a test that reads the copied text. */
export const clipboardPermissions = ['clipboard-read', 'clipboard-write'];

/**
 * Waits until no other test of this run uses the clipboard, and reserves it until the test has ended. The tests of a run share a
 * Chromium, and a Chromium has one clipboard for all of its pages.
 */
export async function holdClipboard(): Promise<void> {
  const held = join(tmpdir(), 'clipboard-is-held');
  for (;;) {
    try {
      await mkdir(held);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await delay(50);
    }
  }
  onTestFinished(() => rmdir(held));
}
