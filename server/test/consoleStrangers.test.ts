// @module-tag slow
import { expect, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { newAccessToken } from '../src/teams/accessTokens.js';
import { newUuid } from '../src/values/ids.js';
import { postForm, signIn } from './console.js';
import { sendTo, startServerForTest } from './server.js';

/**
 * Sends requests over 150 connections and repeats the action until each has sent more than one, and resolves with the answers'
 * statuses.
 */
async function during(send: (n: number) => Promise<{ status: number }>, action: () => Promise<void>) {
  const statuses = new Set<number>();
  let isOver = false;
  let n = 0;
  const strangers = Array.from({ length: 150 }, async () => {
    while (!isOver) statuses.add((await send(n++)).status);
  });
  try {
    do await action();
    while (n <= 300);
  } finally {
    isOver = true;
  }
  await Promise.all(strangers);
  return statuses;
}

async function start(env: Record<string, string>) {
  // Beside the strangers, in the same process, a page may take longer than an answer may be silent.
  const server = await startServerForTest({ env, connections: { timeout: 600_000 } });
  const { teamId, uuid } = await server.addTeam('shop.example');
  const { get } = await signIn(server, teamId);
  const pages = ['/console', '/console/orders'];
  /** Reads each page as a signed-in person. */
  async function readPages() {
    for (const path of pages) expect([path, (await get(path)).status]).toEqual([path, 200]);
  }
  await readPages();
  return { server, uuid, readPages };
}

it.each(['GET', 'POST'] as const)(
  '150 connections with made-up session cookies (%s) keep no signed-in person from any page',
  async (method) => {
    const { server, uuid, readPages } = await start({ ORDERBEACON_RATE_LIMIT: 'off' });
    const form = { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' };
    const statuses = await during((n) => {
      const { token } = newAccessToken(n % 2 ? uuid : newUuid());
      const headers = { cookie: `orderbeacon=${token}`, ...(method === 'POST' && form) };
      return sendTo(new URL('/console/setup', server.url), method, { headers });
    }, readPages);
    expect([...statuses]).toEqual([303]);
  },
);

it('made-up cookies count to the limit of their address, and a known session does not', async () => {
  const { server, uuid, readPages } = await start({ ORDERBEACON_RATE_LIMIT: '60' });
  const statuses = await during(() => {
    const headers = { cookie: `orderbeacon=${newAccessToken(uuid).token}` };
    return sendTo(new URL('/console', server.url), 'GET', { headers });
  }, readPages);
  expect([...statuses].sort()).toEqual([303, 429]);
});

it('attempts to sign in that wait for the database keep no signed-in person from any page', async () => {
  const { server, uuid, readPages } = await start({ ORDERBEACON_TRUST_PROXY: '1' });
  const attempts = await inTransaction(server.sql, async (tx) => {
    await tx`lock table console_link in access exclusive mode`;
    const sent = Array.from({ length: 150 }, (_, n) => {
      const fields = { token: newAccessToken(uuid).token };
      return postForm(server.url, '/console/sign-in', fields, { 'x-forwarded-for': `10.0.0.${n}` });
    });
    // The last ones find no place to wait in.
    expect((await Promise.race(sent)).status).toBe(503);
    await readPages();
    return { sent };
  });
  await Promise.all(attempts.sent);
});
