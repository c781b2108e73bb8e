import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from './dataFolder.js';
import { startUser } from './embeddedProcesses.js';
import { clusterIn } from './temporaryFolder.js';

const ready = `/var/lib/other\n1\n5432\n/tmp\nlocalhost\n\nready\n`;

it.each([
  [
    'empty, as a full disk leaves it, or garbage, even just now',
    ['', '\u0000\u0001garbage\n\u001b[2J', `0\n${ready}`],
  ],
  [
    'stale, and names a process of others',
    [`${process.pid}\n${ready}`, `1\n${ready}`, `-1\n${ready}`, `99999999999999999999\n${ready}`],
  ],
])('a postmaster.pid that is %s does not keep PostgreSQL from starting', async (_, texts) => {
  const dataDir = await dataFolder('initialised');
  for (const text of texts) {
    writeFileSync(join(clusterIn(dataDir), 'postmaster.pid'), text);
    const user = await startUser(dataDir);
    expect([text, user.answer]).toEqual([text, 'open']);
    await user.close();
  }
});
