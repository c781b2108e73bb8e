import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { importProducts } from '../src/products/importProducts.js';
import { productFileSchema } from '../src/products/productSchema.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { type Explained, explainAll } from './explained.js';
import { startTestServer } from './server.js';

const reason = 'skipped: ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

describe.skipIf(!inject('isCitus'))(`on a Citus cluster (else ${reason})`, () => {
  const plans: Explained[] = [];
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let team: { uuid: string; teamId: string };
  let key: string;

  beforeAll(async () => {
    server = await startTestServer({}, undefined, {}, { watching: (sql) => explainAll(sql, plans) });
    team = await server.addTeam('shop.example');
    key = await server.addKey(team.uuid);
  });
  afterAll(() => server.close());

  /** Runs requests, and resolves with the plans of the statements that they asked. */
  async function plansOf(ask: () => Promise<unknown>): Promise<Explained[]> {
    const before = plans.length;
    await ask();
    return plans.slice(before);
  }

  /**
   * Statements without a team: those that read no table, those that locate tables and teams, and the search, beside
   * the requests, for teams with old refused reports and with those that release 0.2.0 has kept.
   */
  const ofNoTeam = [
    'readTime',
    'lockPlaces',
    'isCitusCreated',
    'listDistributed',
    'findNodes',
    'listExpiredTeams',
    'findUnreadTeam',
    'findTeamWithHours',
  ];

  /**
   * True for rows that the statement itself brings, or that it reads on one node: the coordinator sends them to their
   * team's node, and asks no other.
   */
  const bringsItsRows = (plan: string) =>
    /INSERT \.\.\. SELECT[\s\S]*Function Scan on json_to_recordset/.test(plan) &&
    !/Task Count: (?!1\n)|Subplan/.test(plan);

  /** Statements that more than one node has a part in, or whose rows the coordinator gathers first. */
  const notRouted = (explained: Explained[]) =>
    explained.filter(({ name, plan }) => {
      if (ofNoTeam.includes(name) || bringsItsRows(plan)) return false;
      const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
      return counts.join() !== '1' || /Subplan|pull to coordinator|repartition/.test(plan);
    });

  const names = (explained: Explained[]) =>
    [...new Set(explained.map(({ name }) => name).filter((name) => !ofNoTeam.includes(name)))].sort();

  it('a report takes statements of one node, whether new, known, merged, late or refused', async () => {
    const order = { teamId: team.teamId, email: 'ann@buyer.example', amount: 5, orderId: 'o-1' };
    const before = plans.length;
    expect((await server.report(order)).body.data.isNew).toBe(true);
    expect((await server.report(order)).body.data.isNew).toBe(false);
    await server.sql`update placed_order set created_at = now() - interval '1 day' where team_id = ${team.uuid}`;
    expect((await server.reportByKey(key, { ...order, amount: 7, name: 'Ann' })).body.data.amount).toBe(7);
    expect((await server.report({ ...order, orderId: 'o-2' }, { origin: 'https://x.example' })).status).toBe(
      403,
    );
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...order,
      orderId: `many-${at}`,
      email: `ann${at % 20}@buyer.example`,
      items: [{ name: 'Jar', quantity: at }],
    }));
    const answers = await Promise.all(many.map((each) => server.report(each)));
    expect(answers.map(({ body }) => body.data?.isNew)).toEqual(many.map(() => true));
    // A refused report, and when a key was used, are stored beside the answer.
    const asked = () => plans.slice(before);
    await expect
      .poll(() => names(asked()))
      .toEqual([
        'addBuyers',
        'addOrders',
        'addRefusalCounts',
        'addRefused',
        'findKeptAlready',
        'findKeys',
        'findOrders',
        'findTeams',
        'judgeReports',
        'listDomains',
        'lockOrder',
        'noteKeyUse',
        'updateOrder',
      ]);
    expect(notRouted(asked())).toEqual([]);
  });

  it('an enrollment takes statements of one node, new or known', async () => {
    const id = newUuid();
    await server.sql`insert into sequence (team_id, id, name) values (${team.uuid}, ${id}, 'Welcome')`;
    await server.report({ teamId: team.teamId, email: 'eve@buyer.example', amount: 5 });
    const enroll = () => server.enroll(key, { email: 'eve@buyer.example', sequenceId: encodeId('seq', id) });
    const asked = await plansOf(async () => {
      const first = await enroll();
      expect(first.status).toBe(200);
      expect((await enroll()).body.data).toEqual(first.body.data);
    });
    expect(notRouted(asked)).toEqual([]);
    expect(names(asked)).toEqual(['addSubscriptions', 'lookUpEnrollments']);
  });

  it('a look-up takes one statement of one node, by id and by slug, for one product and for many', async () => {
    const product = { title: 'Jar', slug: 'jar', type: 'PHYSICAL', price: 9, currency: 'USD' };
    const [stored] = await importProducts(server.sql, team.uuid, productFileSchema.parse([product]));
    const authorization = { authorization: `Bearer ${key}` };
    const lookUp = (name: string) =>
      server.send('GET', `/svc-api/v1/products/${name}`, { headers: authorization });
    const asked = await plansOf(async () => {
      expect((await lookUp('jar')).body.data.title).toBe('Jar');
      expect((await lookUp(encodeId('prd', stored!.id))).body.data.slug).toBe('jar');
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => lookUp(at < 10 ? 'jar' : 'none')),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBe(10);
    });
    expect(notRouted(asked)).toEqual([]);
    expect(names(asked)).toEqual(['findProducts']);
  });

  it('the console’s pages take statements of one node', async () => {
    const asked = await plansOf(async () => {
      const { get } = await signIn(server, team.teamId);
      const [order] = await server.sql<[{ id: string }]>`
        select id from placed_order where team_id = ${team.uuid} limit 1`;
      for (const path of [
        '',
        '/orders',
        `/orders/${encodeId('ord', order.id)}`,
        '/orders?q=o-1',
        '/orders.csv',
        '/setup',
      ]) {
        expect([path, (await get(`/console${path}`)).status]).toEqual([path, 200]);
      }
    });
    expect(names(asked).length).toBeGreaterThan(5);
    expect(notRouted(asked)).toEqual([]);
  });
});
