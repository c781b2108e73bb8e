import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clusterIn, newDataFolder, startUser } from './embeddedProcesses.js';

it('an empty postmaster.pid, as a full disk leaves it, does not keep PostgreSQL from starting', async () => {
  const dataDir = newDataFolder();
  await (await startUser(dataDir)).close();
  writeFileSync(join(clusterIn(dataDir), 'postmaster.pid'), '');
  const user = await startUser(dataDir);
  expect(user.answer).toBe('open');
  await user.close();
});
