import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../src/database/connection/connect.js';
import { findBinaries } from '../src/embedded/binaries.js';
import { findHome } from '../src/embedded/home.js';
import { openByPort } from '../src/embedded/openByPort.js';
import { clusterIn, temporaryFolder } from './temporaryFolder.js';

// PostgreSQL refuses root, and this way does not change users: Windows has none to change to.
test.skipIf(process.getuid?.() === 0)(
  'without sockets PostgreSQL takes a password on a loopback port',
  async () => {
    const dataDir = temporaryFolder();
    const open = () =>
      openByPort(
        findHome(dataDir, () => {}),
        findBinaries(),
        () => {},
      );
    const owner = await open();
    const sql = connect(owner.url, 1);
    onTestFinished(() => sql.end());
    expect(await sql`select current_setting('listen_addresses') as address`).toEqual([
      { address: '127.0.0.1' },
    ]);
    expect((await open()).url).toBe(owner.url);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);

    const guess = new URL(owner.url);
    guess.password = 'guess';
    const intruder = connect(guess.href, 1);
    await expect(intruder`select 1`).rejects.toThrow('password authentication failed');
    await intruder.end();

    await sql.end();
    await owner.close();
    expect(existsSync(join(clusterIn(dataDir), 'postmaster.pid'))).toBe(false);
  },
);
