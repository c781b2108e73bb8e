import { execFileSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBothEnds, takeHold } from '../src/sql/embeddedHold.js';
import { newDataFolder } from './embeddedProcesses.js';

test('an open pipe is no hold while its reader gives no answer: it may have seen the end before', async () => {
  const folder = newDataFolder();
  execFileSync('mkfifo', [join(folder, 'users')]);
  const { hold, reader } = openBothEnds(folder);
  closeSync(hold);
  const taken = takeHold(folder);
  closeSync(reader);
  expect(await taken).toBe(null);
});

test('a folder without a pipe, or a pipe without a reader, gives no hold', async () => {
  const folder = newDataFolder();
  expect(await takeHold(folder)).toBe(null);
  execFileSync('mkfifo', [join(folder, 'users')]);
  expect(await takeHold(folder)).toBe(null);
});
