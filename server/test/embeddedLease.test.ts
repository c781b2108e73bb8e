import { execFileSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLease, openBothEnds } from '../src/embedded/lease.js';
import { temporaryFolder } from './temporaryFolder.js';

test('an open pipe is no lease while its reader gives no answer: it may have seen the end before', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'users')]);
  const { lease, reader } = openBothEnds(folder);
  closeSync(lease);
  const acquired = acquireLease(folder);
  closeSync(reader);
  expect(await acquired).toBe(null);
});

test('a folder without a pipe, or a pipe without a reader, gives no lease', async () => {
  const folder = temporaryFolder();
  expect(await acquireLease(folder)).toBe(null);
  execFileSync('mkfifo', [join(folder, 'users')]);
  expect(await acquireLease(folder)).toBe(null);
});
