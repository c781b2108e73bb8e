import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runFailover } from '../../bench/failoverRun.js';
import { startReplicas } from '../../bench/replicas.js';
import { readConfig } from '../../src/config.js';
import { parseDatabaseUrl } from '../../src/values/databaseUrl.js';
import { rehearsalProcesses } from '../kit/process.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

describe('DATABASE_URL with several hosts', () => {
  it('is read as libpq reads it', () => {
    const { name, hosts, needsPrimary } = parseDatabaseUrl(
      'postgres://me:p%40ss@one:5433,[::1]:5434,three/orders?target_session_attrs=read-write&sslmode=require',
    );
    expect(hosts).toEqual([
      { host: 'one', port: 5433 },
      { host: '::1', port: 5434 },
      { host: 'three', port: 5432 },
    ]);
    expect(name).toBe('orders');
    expect(needsPrimary).toBe(true);
    expect(parseDatabaseUrl('postgres://me@one/orders').needsPrimary).toBe(false);
    expect(parseDatabaseUrl('postgres://me@one/orders?target_session_attrs=primary').needsPrimary).toBe(true);
  });

  it.each([
    'postgres://me:secret@one:5432,/orders',
    'postgres://me:secret@one:5432,two:port/orders',
    'postgres://me:secret@one,two/orders?target_session_attrs=standby',
    'http://me:secret@one,two/orders',
  ])('is refused as %s, in one line without the password', (databaseUrl) => {
    const read = () => readConfig({ DATABASE_URL: databaseUrl });
    expect(read).toThrow(/DATABASE_URL/);
    expect(read).not.toThrow(/secret/);
  });
});

it('a primary that ends under 32 writers loses no acknowledged order to its synchronous standby', {
  tags: ['long'],
}, async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const replicas = await startReplicas(folder, { isSynchronous: true });
  const result = await runFailover(rehearsalProcesses, replicas, { seconds: 2, writers: 32 }).finally(() =>
    replicas.close(),
  );
  expect(result).toMatchObject({ lost: [], doubled: [], exitCode: 0 });
  expect(result.answers.wrong).toEqual([]);
  expect(result.acknowledged).toBeGreaterThan(32);
  expect(result.awayMs).toBeGreaterThan(0);
});
