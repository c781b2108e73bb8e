import { test as base } from 'vitest';
import { addDomain } from '../../src/core/teams/sql/domain.js';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { startTestServer, type TestServer } from './server.js';

/**
 * A vitest `test` with a new team (`shop`), on a server that all files of a worker share (`server`). For each file there is a
 * second server on the same database (`beside`). Statements of a test name the team, because the tables have rows of other
 * tests. A test that changes the server, or that reads all teams, starts a server itself.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what a fixture needs here
  .extend('server', { scope: 'worker' }, async ({}, { onCleanup }) => {
    // Requests may name any address as theirs, because one address may sign in a few times a minute only.
    const env = { ORDERBEACON_RATE_LIMIT: 'off', ORDERBEACON_TRUST_PROXY: '1' };
    const server = await startTestServer({ env });
    onCleanup(server.close);
    return server;
  })
  .extend('beside', { scope: 'file' }, async ({ server }, { onCleanup }) => {
    const beside = await startTestServer({ databaseUrl: server.env.DATABASE_URL! });
    onCleanup(beside.close);
    return beside;
  })
  .extend('shop', async ({ server }, { onCleanup }) => {
    const shop = await openShop(server);
    // Otherwise the server would go on calling the webhook during the next tests.
    onCleanup(async () => {
      await server.sql`update hook set disabled_at = now() where team_id = ${shop.team}`;
    });
    return shop;
  });

/** A team with a domain, its pages, its backend and its viewers. */
export type Shop = Awaited<ReturnType<typeof openShop>>;

type Fields = Record<string, unknown>;

/** Options of a report or request with an API key. Default: the team's live key. */
interface ByKey {
  key?: string;
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

let shops = 0;

/** Adds a team to a test server: the `shop` of a test, or a further one. */
export async function openShop(server: TestServer) {
  return shopAt(server, await addTeam(server));
}

async function addTeam(server: TestServer) {
  const domain = `shop${++shops}.example`;
  const { uuid: team, teamId } = await server.addTeam(domain);
  let orders = 0;
  return {
    domain,
    origin: `https://${domain}`,
    team,
    teamId,
    liveKey: once(() => server.addKey(team)),
    testKey: once(() => server.addKey(team, 'test')),
    /** Makes the report of a new order of Ann for 49.9 USD. The given fields replace its own. */
    order: <T extends object>(more: T = {} as T) => ({
      teamId,
      email: 'ann@buyer.example',
      amount: 49.9,
      orderId: `o-${++orders}`,
      ...more,
    }),
  };
}

/** Returns a shop as another server of the same database sees it. */
export function shopAt(server: TestServer, identity: Awaited<ReturnType<typeof addTeam>>) {
  const { sql } = server;
  const { origin, team, teamId, liveKey, order } = identity;
  const bodyOf = (report: Fields | string | Buffer) =>
    typeof report === 'string' || Buffer.isBuffer(report) ? report : order(report);

  /** Sends a request with an API key. */
  async function send(method: string, path: string, body?: object | string, { key, headers }: ByKey = {}) {
    const authorization = `Bearer ${key ?? (await liveKey())}`;
    return server.send(method, path, {
      headers: { authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  return {
    ...identity,
    server,
    sql,
    send,
    /** Reports an order as a page of the shop: a new one, with the given fields. A text or bytes are sent unchanged. */
    report: (report: Fields | string | Buffer = {}, headers: Record<string, string> = {}) =>
      server.report(bodyOf(report), { origin, ...headers }),
    /** Reports an order as a backend of the shop: a new one, with the given fields. */
    reportByKey: async (
      report: Fields | string | Buffer = {},
      { key, idempotencyKey, headers }: ByKey = {},
    ) =>
      server.reportByKey(key ?? (await liveKey()), bodyOf(report), {
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...headers,
      }),
    refund: (refund: object | string, by?: ByKey) => send('POST', '/svc-api/v1/orders/refunds', refund, by),
    /** Reads a stored order by its `ord_…` or its order id. */
    read: (id: string, by?: ByKey) =>
      send('GET', `/svc-api/v1/orders/${encodeURIComponent(id)}`, undefined, by),
    enroll: (enrollment: object | string, by?: ByKey) =>
      send('POST', '/svc-api/v1/sequences/enroll', enrollment, by),
    addDomain: (entry: string, { isTest = false } = {}) => addDomain(sql, team, { entry, isTest }),
    /** Reads the team's orders as they are stored, each with its buyer's `email` and `buyerName`, in the order of storing. */
    async stored() {
      const rows = await sql`
        select placed_order.*, person.email, person.name as buyer_name,
          coalesce((select json_agg(distinct key order by key) from order_key k where k.team_id = ${team} and k.placed_order_id = placed_order.id), '[]') as keys
        from placed_order
        join person on person.team_id = placed_order.team_id and person.id = placed_order.person_id
        where placed_order.team_id = ${team} order by placed_order.id`;
      return rows.map(camelCased);
    },
    /** Reads the team's kept reports that need attention, the oldest first. */
    async refused() {
      const rows = await sql`
        select * from refused_report
        where team_id = ${team} and discarded_at is null and received_at > now() - interval '30 days'
        order by received_at, id`;
      return rows.map(camelCased);
    },
    /** Signs in to the team's console. */
    console: () => signIn(server, teamId),
    /** Discards an order by the form of its page. */
    async discard(id: string) {
      const { status } = await (await signIn(server, teamId)).submit(`/console/orders/${id}/discard`, {});
      if (status !== 303) throw new Error(`The form answered ${status}.`);
    },
    /** Runs a command on the team, such as `command('order', 'list', '--json')`. */
    command: (...args: string[]) => runOrderbeacon([...args, '--team', teamId], server.env),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Returns a row with names in camel case instead of the columns'. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into columns of every type
const camelCased = (row: object): Record<string, any> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_./g, (part) => part[1]!.toUpperCase()),
      value,
    ]),
  );
