import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/database/connection/connect.js';
import { createTestDatabase } from '../kit/database.js';
import { startDatabaseProxy } from '../kit/databaseProxy.js';
import { startRawReceiver } from '../kit/rawReceiver.js';
import { postgresMessage, postgresRefusal } from './postgresMessage.js';

const isReady = postgresMessage('Z', 'I');
const admits = postgresMessage('R', '\0\0\0\0');

/** Messages that each kind of host without writes sends to a new connection, before it closes it or waits. */
const unfit = {
  closing: [],
  starting: [postgresRefusal('57P03', 'the database system is starting up')],
  standby: [admits, postgresMessage('S', 'in_hot_standby\0on\0'), isReady],
  readOnly: [
    admits,
    postgresMessage('S', 'in_hot_standby\0off\0'),
    postgresMessage('S', 'default_transaction_read_only\0on\0'),
    isReady,
  ],
};

/** Starts a host that takes no writes, and counts its connections. */
async function startUnfit(kind: keyof typeof unfit) {
  const server = await startRawReceiver((client) => {
    client.once('data', () => {
      for (const stated of unfit[kind]) client.write(stated);
      if (kind === 'closing' || kind === 'starting') client.end();
    });
  });
  return { address: `127.0.0.1:${server.port}`, connections: () => server.count };
}

/** Opens a pool that connects to one of several hosts. */
function openPool(addresses: string[], { username, pathname }: URL) {
  const sql = connect(`postgres://${username}@${addresses.join()}${pathname}`, 1);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return { sql, ask: () => sql`select 1 as n`.catch((error) => [error.code, error.message]) };
}

it('hosts that take no writes are passed over, and not tried again while the one that was found answers', async () => {
  const { url, close } = await createTestDatabase();
  const primary = await startDatabaseProxy(url);
  onTestFinished(async () => {
    await primary.close();
    await close();
  });
  const kinds = Object.keys(unfit) as (keyof typeof unfit)[];
  const hosts = await Promise.all(kinds.map(startUnfit));
  const addresses = [...hosts.map(({ address }) => address), new URL(primary.url).host];
  const { ask } = openPool(addresses, new URL(primary.url));
  expect(await ask()).toEqual([{ n: 1 }]);
  expect(hosts.map(({ connections }) => connections())).toEqual([1, 1, 1, 1]);
  primary.reset();
  await expect.poll(ask).toEqual([{ n: 1 }]);
  expect(hosts.map(({ connections }) => connections())).toEqual([1, 1, 1, 1]);
});

it.each([
  [
    ['closing', 'standby'],
    ['CONNECTION_REFUSED', 'The database is read-only'],
  ],
  [
    ['readOnly', 'closing'],
    ['CONNECTION_CLOSED', 'The database closed the connection'],
  ],
  [
    ['standby', 'starting'],
    ['57P03', 'the database system is starting up'],
  ],
] as const)(
  'where no host takes writes (%s), each is tried once, and the last one’s reason is told',
  async (kinds, reason) => {
    const hosts = await Promise.all(kinds.map(startUnfit));
    const { ask } = openPool(
      hosts.map(({ address }) => address),
      new URL('postgres://me@one/orders'),
    );
    expect(await ask()).toEqual(reason);
    expect(hosts.map(({ connections }) => connections())).toEqual([1, 1]);
    expect(await ask()).toEqual(reason);
    expect(hosts.map(({ connections }) => connections())).toEqual([2, 2]);
  },
);
