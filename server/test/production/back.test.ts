// @module-tag long
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase } from '../kit/database.js';
import { hasRelease, refusesOlder, unpackRelease } from '../kit/lastRelease.js';
import { runProcess, type ServerProcess, startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

async function openDatabase() {
  const { env, sql, close } = await createEmptyDatabase();
  onTestFinished(() => close());
  return { env: { ...env, ORDERBEACON_RATE_LIMIT: 'off' }, sql };
}

it.skipIf(!hasRelease)(
  'the way back from an upgrade is the backup where the last release refuses the new database: it serves the restored one',
  async () => {
    const { env, sql } = await openDatabase();
    const last = unpackRelease(env);
    const stop = async ({ signal, ended }: ServerProcess) => {
      signal('SIGTERM');
      expect((await ended).code).toBe(0);
    };
    const old = await startServerProcess(env, last.program);
    const { id: teamId } = await last.run('team', 'create', '--name', 'Shop');
    const { key } = await last.run('key', 'create', '--team', teamId);
    const report = async ({ url }: ServerProcess, orderId: string) => {
      const { status, body } = await sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ teamId, email: `${orderId}@buyer.example`, amount: 1, orderId }),
      });
      return [status, body.data?.isNew];
    };
    expect(await report(old, 'before')).toEqual([200, true]);
    const file = join(temporaryFolder(), 'orderbeacon.gz');
    await last.run('backup', file);
    await stop(old);
    const isRefused = await refusesOlder(sql);

    const current = await startServerProcess(env);
    expect(await report(current, 'before')).toEqual([200, false]);
    expect(await report(current, 'after')).toEqual([200, true]);
    await stop(current);
    if (isRefused)
      await expect(startServerProcess(env, last.program)).rejects.toThrow(
        /A newer Orderbeacon has changed the database/,
      );
    else {
      const former = await startServerProcess(env, last.program);
      expect(await report(former, 'after')).toEqual([200, false]);
      await stop(former);
    }

    // The backup goes into an empty database, with the release that wrote it.
    const { env: empty } = await openDatabase();
    const back = unpackRelease(empty);
    await back.run('restore', file);
    const again = await startServerProcess(empty, back.program);
    expect(await report(again, 'before')).toEqual([200, false]);
    expect(await report(again, 'after')).toEqual([200, true]);
    await stop(again);
    // And forth again: the new release migrates what the old one has stored since.
    expect((await runProcess(['migrate'], empty)).code).toBe(0);
    const forth = await startServerProcess(empty);
    expect(await report(forth, 'after')).toEqual([200, false]);
    await stop(forth);
  },
);
