// @module-tag all
// @module-tag slow
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runOrderbeacon } from '../kit/command.js';
import { dataFolder } from '../kit/dataFolder.js';
import { runProcess } from '../kit/process.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

it('a data folder of another PostgreSQL is left alone, and the line that refuses it brings all into a new one', async () => {
  const folder = temporaryFolder();
  const dataDir = await dataFolder('migrated', join(folder, 'data'));
  const env = { ORDERBEACON_DATA_DIR: dataDir };
  const made = JSON.parse((await runOrderbeacon(['team', 'create', '--name', 'Shop', '--json'], env)).stdout);

  const versionFile = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  const version = readFileSync(versionFile, 'utf8');
  writeFileSync(versionFile, '17\n');
  for (const args of [['serve'], ['migrate'], ['team', 'list'], ['backup', join(folder, 'no.gz')]]) {
    // A server listens for signals of its process.
    const run = args[0] === 'serve' ? runProcess : runOrderbeacon;
    const refused = await run(args, { ...env, PORT: '0' });
    expect([args, refused.code, refused.stdout]).toEqual([args, 1, '']);
    expect(refused.stderr).toMatch(
      /^orderbeacon: The data in \S+ was made by PostgreSQL 17, and this Orderbeacon brings PostgreSQL 18\. [^\n]+\n$/,
    );
    // The steps of the message work.
    expect(refused.stderr).toContain('orderbeacon backup orderbeacon.gz; then move');
    expect(refused.stderr).toContain(
      `move ${dataDir} away, and with this one run: node_modules/.bin/orderbeacon restore`,
    );
  }
  const { stdout: checks } = await runOrderbeacon(['doctor', '--json'], env);
  // “Start it”, the fix for a PostgreSQL that does not run, would be refused again.
  expect(JSON.parse(checks)[0]).toMatchObject({
    message: expect.stringContaining('orderbeacon backup orderbeacon.gz; then move'),
    fix: expect.stringMatching(/^Do as the message says/),
  });

  // Stands for the release that made the folder. Its PostgreSQL opens the folder unchanged.
  writeFileSync(versionFile, version);
  const file = join(folder, 'orderbeacon.gz');
  expect((await runOrderbeacon(['backup', file], env)).code).toBe(0);
  writeFileSync(versionFile, '17\n');
  renameSync(dataDir, join(folder, 'data.old'));
  expect((await runOrderbeacon(['restore', file], env)).code).toBe(0);
  expect(JSON.parse((await runOrderbeacon(['team', 'list', '--json'], env)).stdout)).toEqual([made]);
});
