import type { Sql } from '../src/database/connection/connect.js';
import { addSource } from '../src/features/sources/setup/addSource.js';
import { sourcePath } from '../src/features/sources/source.js';
import { decodeId } from '../src/values/ids.js';
import { limits } from '../src/values/limits.js';
import type { Doing } from './doing.js';
import { fillOrders } from './fillOrders.js';
import { runCommand } from './processes.js';

/** Number of the team's orders, each in a made-up currency. */
const orders = 60_000;
const sourceSecret = 'whsec_of_the_bench';

/** The access of a team's people, keys and sources to a server that others use, too. */
export type Hostile = Omit<Doing, 'url' | 'what'>;

/** Adds a team that has stored as much as it may: orders, currencies, refunds of an order, and refunds that wait. */
export async function addHostileTeam(env: Record<string, string>, sql: Sql, url: string): Promise<Hostile> {
  const { id } = await runCommand<{ id: string }>(env, ['team', 'create', '--name', 'Hostile']);
  const teamId = decodeId('team', id)!;
  const person = ['person', 'add', '--team', id, '--email', 'a@b.example'];
  const buyer = await runCommand<{ id: string }>(env, person);
  await fillOrders(sql, decodeId('ppl', buyer.id)!, 1, orders);
  await sql`update placed_order set currency = upper(substr(md5(id::text), 1, 5)) where team_id = ${teamId}`;
  const [order] = await sql<[{ id: string; number: string }]>`
    select id, order_number as number from placed_order where team_id = ${teamId} limit 1`;
  await sql`
    insert into refund (team_id, is_test, refund_id, placed_order_id, amount, counts, currency, reason, created_at)
    select ${teamId}, false, 'refund-' || n, id, 0.01, 0.01, currency, repeat('x', 255), now()
    from placed_order, generate_series(1, ${limits.refunds}::int) n
    where team_id = ${teamId} and id = ${order.id}`;
  const { key } = await runCommand<{ key: string }>(env, ['key', 'create', '--team', id]);
  await fillWaiting(sql, teamId, { url, key });
  const given = { kind: 'stripe', isTest: false, secret: sourceSecret, orderIdPrefix: '' } as const;
  const source = (await addSource(sql, teamId, given))!;
  return {
    cookie: await signIn(env, url, id),
    home: `/console/${id}`,
    key,
    order: order.number,
    source: { path: sourcePath(source), secret: sourceSecret },
  };
}

/** Reports a refund that waits for its order, and copies it until as many wait as may. */
async function fillWaiting(
  sql: Sql,
  teamId: string,
  { url, key }: { url: string; key: string },
): Promise<void> {
  const { status } = await fetch(new URL('/svc-api/v1/orders/refunds', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ refundId: 'waits-0', orderId: 'unknown-0', amount: 1 }),
  });
  if (status !== 200) throw new Error(`The refund was answered with ${status}`);
  await sql`
    insert into statement (team_id, is_test, object, waits_as, waits_since, said)
    select team_id, is_test, replace(object, '-0', '-' || n), waits_as, waits_since,
      replace(replace(said::text, 'waits-0', 'waits-' || n), 'unknown-0', 'unknown-' || n)::json
    from statement, generate_series(1, ${limits.waitingRefunds - 1}::int) n
    where team_id = ${teamId} and placed_order_id is null`;
  await sql`
    insert into order_key (team_id, is_test, kind, key, object)
    select team_id, is_test, kind, replace(key, '-0', '-' || n), replace(object, '-0', '-' || n)
    from order_key, generate_series(1, ${limits.waitingRefunds - 1}::int) n
    where team_id = ${teamId} and placed_order_id is null`;
}

let signedIn = 0;

/** Signs in to a team's console by a link, and returns the cookie. */
export async function signIn(env: Record<string, string>, url: string, teamId: string): Promise<string> {
  const link = await runCommand<{ url: string }>(env, ['console', '--team', teamId]);
  const answer = await fetch(new URL('/console/sign-in', url), {
    method: 'POST',
    headers: {
      origin: new URL(url).origin,
      'content-type': 'application/x-www-form-urlencoded',
      cookie: 'orderbeacon_probe=1',
      'x-forwarded-for': `10.1.0.${++signedIn}`,
    },
    body: new URLSearchParams({ token: new URL(link.url).hash.slice(1) }),
    redirect: 'manual',
  });
  const cookies = answer.headers.getSetCookie().map((text) => text.split(';')[0]!);
  const cookie = cookies.find((text) => text.includes(teamId));
  if (cookie === undefined) throw new Error(`Signing in was answered with ${answer.status}`);
  return cookie;
}
