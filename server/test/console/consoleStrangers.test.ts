// @module-tag slow
import { expect, it } from 'vitest';
import { newAccessToken } from '../../src/console/access/consoleAccess.js';
import { inTransaction } from '../../src/database/inTransaction.js';
import { encodeId, newUuid } from '../../src/values/ids.js';
import { postForm, signIn } from '../kit/console.js';
import { sendTo, startServerForTest } from '../kit/server.js';

/** Number of requests: more than can wait for the console's database. */
const strangers = 150;

/** Starts a server with a signed-in person, and with strangers who send made-up session cookies. */
async function start(env?: Record<string, string>) {
  const server = await startServerForTest(env && { env });
  const { teamId, uuid } = await server.addTeam('shop.example');
  const { get } = await signIn(server, teamId);
  /** Reads each page as the signed-in person. */
  async function readPages() {
    for (const path of ['/console', '/console/orders'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  }
  await readPages();
  /** Sends requests of strangers concurrently. Resolves with the statuses of the answers, each once. */
  async function sendMadeUp(method: string) {
    const form = { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = Array.from({ length: strangers }, (_, n) => {
      const { token, teamId } = newAccessToken(n % 2 ? uuid : newUuid());
      const madeUp = encodeId('team', teamId);
      const headers = { cookie: `orderbeacon_${madeUp}=${token}`, ...(method === 'POST' && form) };
      return sendTo(new URL(`/console/${madeUp}/setup/keys`, server.url), method, { headers });
    });
    return [...new Set((await Promise.all(sent)).map(({ status }) => status))].sort();
  }
  return { server, uuid, readPages, sendMadeUp };
}

it.each([
  ['GET', 303],
  ['POST', 403],
] as const)(
  'behind 150 requests with made-up session cookies (%s) a signed-in person still gets every page',
  { tags: ['all'] },
  async (method, status) => {
    const { readPages, sendMadeUp } = await start();
    const statuses = sendMadeUp(method);
    await readPages();
    expect(await statuses).toEqual([status]);
  },
);

it('made-up cookies count to the limit of their address, and a known session does not', async () => {
  const { readPages, sendMadeUp } = await start({ ORDERBEACON_RATE_LIMIT: '60' });
  expect(await sendMadeUp('GET')).toEqual([303, 429]);
  await readPages();
});

it('attempts to sign in that wait for the database keep no signed-in person from any page', {
  tags: ['all'],
}, async () => {
  const { server, uuid, readPages } = await start({ ORDERBEACON_TRUST_PROXY: '1' });
  const attempts = await inTransaction(server.sql, async (tx) => {
    await tx`lock table console_link in access exclusive mode`;
    const sent = Array.from({ length: strangers }, (_, n) => {
      const fields = { token: newAccessToken(uuid).token };
      return postForm(server.url, '/console/sign-in', fields, {
        cookie: 'orderbeacon_probe=1',
        'x-forwarded-for': `10.0.0.${n}`,
      });
    });
    // The queue is full for the last requests.
    expect((await Promise.race(sent)).status).toBe(503);
    await readPages();
    return { sent };
  });
  await Promise.all(attempts.sent);
});
