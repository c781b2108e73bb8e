import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from './server.js';

describe.each([1, 256])('with at most %d rows a statement,', (batchRows) => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let team: { uuid: string; teamId: string };
  let key: string;
  let testKey: string;

  beforeAll(async () => {
    server = await startTestServer({ batchRows });
    team = await server.addTeam('shop.example');
    key = await server.addKey(team.uuid);
    testKey = await server.addKey(team.uuid, 'test');
  });
  afterAll(() => server.close());

  let count = 0;
  const order = <T extends object>(more: T = {} as T) => ({
    teamId: team.teamId,
    email: 'ann@buyer.example',
    amount: 49.9,
    orderId: `o-${++count}`,
    ...more,
  });
  const stored = (orderId: string) => server.sql`
  select placed_order.*, person.email from placed_order join person on person.team_id = placed_order.team_id and person.id = person_id
  where placed_order.team_id = ${team.uuid} and order_id = ${orderId}`;
  const people = async (email: string) =>
    (await server.sql`select * from person where team_id = ${team.uuid} and email = ${email}`).length;

  describe('a new order', () => {
    it('is answered with the contract’s fields and stored once', async () => {
      const sent = order({
        name: 'Ann',
        items: [{ sku: 'A', quantity: 2, price: 24.95, gift: true }],
        visitorId: 'v1',
      });
      const { status, body } = await server.report(sent);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        data: {
          id: expect.stringMatching(/^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
          orderNumber: expect.stringMatching(/^ORD-[0-9A-HJKMNP-TV-Z]{10}$/),
          amount: 49.9,
          currency: 'USD',
          paymentStatus: 'PAID',
          peopleId: expect.stringMatching(/^ppl_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
          isTest: false,
          isNew: true,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
      const [row] = await stored(sent.orderId);
      expect(row).toMatchObject({
        amount: '49.9',
        currency: 'USD',
        source: 'OTHER',
        name: 'Ann',
        items: sent.items,
        visitor_id: 'v1',
        reported_by: 'browser',
        email: 'ann@buyer.example',
      });
      expect(row!.created_at.toISOString()).toBe(body.data.createdAt);
    });

    it('by key has the source MANUAL unless it names one, in any case', async () => {
      const plain = order();
      const named = order({ source: 'stripe' });
      await server.reportByKey(key, plain);
      await server.reportByKey(key, named);
      expect((await stored(plain.orderId))[0]).toMatchObject({ source: 'MANUAL', reported_by: 'key' });
      expect((await stored(named.orderId))[0]).toMatchObject({ source: 'STRIPE' });
    });

    it('as text/plain is the same order as application/json', async () => {
      const sent = order();
      const headers = { origin: 'https://shop.example', 'content-type': 'text/plain;charset=UTF-8' };
      expect((await server.report(sent, headers)).body.data.isNew).toBe(true);
      expect(await stored(sent.orderId)).toHaveLength(1);
    });

    it('has its email trimmed and lower-cased and its currency upper-cased', async () => {
      const sent = order({ email: '  Ann.UPPER@Buyer.Example ', currency: 'eur' });
      expect((await server.report(sent)).body.data.currency).toBe('EUR');
      expect((await stored(sent.orderId))[0]).toMatchObject({
        email: 'ann.upper@buyer.example',
        currency: 'EUR',
      });
    });

    it('is the same order with spaces around its orderId, as the SDK sends none', async () => {
      const sent = order();
      const first = await server.report(sent);
      const again = await server.reportByKey(key, { ...sent, orderId: ` ${sent.orderId}\t` });
      expect([again.body.data.id, again.body.data.isNew]).toEqual([first.body.data.id, false]);
    });

    it('is stored while another order of the team is locked', async () => {
      const held = order();
      await server.report(held);
      let changed: Promise<number> | undefined;
      await server.sql.begin(async (transaction) => {
        await transaction`select from placed_order
          where team_id = ${team.uuid} and order_id = ${held.orderId} for update`;
        // It changes the locked order, so it has to wait; what comes beside and after it has not.
        changed = server.reportByKey(key, { ...held, amount: 2 }).then(({ body }) => body.data.amount);
        for (let n = 0; n < 3; n++) expect((await server.report(order())).body.data.isNew).toBe(true);
      });
      expect(await changed).toBe(2);
    });

    it('without orderId and reportId is its own order each time', async () => {
      const sent = { teamId: team.teamId, email: 'twice@buyer.example', amount: 1 };
      const first = await server.report(sent);
      const second = await server.report(sent);
      expect(second.body.data.isNew).toBe(true);
      expect(second.body.data.id).not.toBe(first.body.data.id);
    });

    it.each([0, 0.1, 1e-8, 123456789012.34, 999999999999.999, 1e12, 49.999])(
      'keeps the amount %d exactly',
      async (amount) => {
        const sent = order({ amount });
        const first = await server.report(sent);
        const again = await server.report(sent);
        expect([first.body.data.amount, again.body.data.amount]).toEqual([amount, amount]);
        const [row] = await server.sql`select amount = ${String(amount)}::numeric as same from placed_order
      where team_id = ${team.uuid} and order_id = ${sent.orderId}`;
        expect(row!.same).toBe(true);
      },
    );

    it('is a test by a test key or from a test domain, and only then', async () => {
      const other = await server.addTeam('shop.example');
      await server.sql`insert into domain values (${other.uuid}, 'localhost', true)`;
      const from = async (origin: string) =>
        (await server.report({ ...order(), teamId: other.teamId }, { origin })).body.data.isTest;
      expect(await from('http://localhost:3000')).toBe(true);
      expect(await from('https://shop.example')).toBe(false);
      expect((await server.reportByKey(testKey, order())).body.data.isTest).toBe(true);
      expect((await server.reportByKey(key, order())).body.data.isTest).toBe(false);
    });

    it('takes the most exact domain entry’s word on being a test', async () => {
      const other = await server.addTeam();
      await server.sql`insert into domain values (${other.uuid}, '*.shop.example', false), (${other.uuid}, 'staging.shop.example', true)`;
      const from = async (origin: string) =>
        (await server.report({ ...order(), teamId: other.teamId }, { origin })).body.data.isTest;
      expect(await from('https://staging.shop.example')).toBe(true);
      expect(await from('https://eu.shop.example')).toBe(false);
    });
  });

  describe('a second report', () => {
    it('of the same orderId returns the stored order, whichever way it comes', async () => {
      const sent = order();
      const first = await server.report(sent);
      for (const again of [await server.report(sent), await server.reportByKey(key, sent)]) {
        expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
      }
      expect(await stored(sent.orderId)).toHaveLength(1);
    });

    it('of the same reportId is the same order, though it has no orderId', async () => {
      const sent = { teamId: team.teamId, email: 'r@buyer.example', amount: 5, reportId: 'rep-1' };
      const first = await server.report(sent);
      const again = await server.report(sent);
      expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
    });

    it('with the same Idempotency-Key by key is the same order; a browser’s header means nothing', async () => {
      const sent = { teamId: team.teamId, email: 'i@buyer.example', amount: 5 };
      const first = await server.reportByKey(key, sent, { 'idempotency-key': 'idem-1' });
      const again = await server.reportByKey(key, sent, { 'idempotency-key': 'idem-1' });
      expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
      const headers = { origin: 'https://shop.example', 'idempotency-key': 'idem-1' };
      expect((await server.report(sent, headers)).body.data.isNew).toBe(true);
    });

    it('whose reportId belongs to an order of another orderId is an order of its own', async () => {
      const first = order({ reportId: 'shared-report' });
      const second = order({ reportId: 'shared-report' });
      await server.report(first);
      expect((await server.report(second)).body.data.isNew).toBe(true);
      expect((await server.report(second)).body.data.isNew).toBe(false);
      expect(await stored(second.orderId)).toHaveLength(1);
    });

    it('fills in what the first left empty and changes nothing else', async () => {
      const sent = order();
      await server.report(sent);
      await server.report({
        ...sent,
        amount: 1,
        currency: 'EUR',
        name: 'Ann',
        items: [{ sku: 'B' }],
        visitorId: 'v2',
      });
      await server.report({ ...sent, name: 'Bob', items: [], visitorId: 'v3' });
      expect((await stored(sent.orderId))[0]).toMatchObject({
        amount: '49.9',
        currency: 'USD',
        name: 'Ann',
        items: [{ sku: 'B' }],
        visitor_id: 'v2',
        reported_by: 'browser',
      });
    });

    it('by key is believed over an earlier browser report', async () => {
      const sent = order({ amount: 1, name: 'Ann', visitorId: 'v1' });
      const first = await server.report(sent);
      const truth = {
        ...sent,
        amount: 99.5,
        currency: 'GBP',
        source: 'PAYPAL',
        items: [{ sku: 'T' }],
        name: 'Ann Truth',
      };
      const { data } = (await server.reportByKey(key, truth)).body;
      expect(data).toMatchObject({ id: first.body.data.id, amount: 99.5, currency: 'GBP', isNew: false });
      expect((await stored(sent.orderId))[0]).toMatchObject({
        amount: '99.5',
        source: 'PAYPAL',
        name: 'Ann Truth',
        items: [{ sku: 'T' }],
        visitor_id: 'v1',
        reported_by: 'both',
      });
    });

    it('by key replaces a stranger’s buyer and keeps nothing that only the stranger said', async () => {
      const sent = order();
      await server.report({
        ...sent,
        email: 'stranger@evil.example',
        name: 'Eve',
        items: [{ sku: 'X' }],
        amount: 0,
      });
      await server.reportByKey(key, sent);
      expect((await stored(sent.orderId))[0]).toMatchObject({
        email: 'ann@buyer.example',
        amount: '49.9',
        name: null,
        items: null,
      });
    });

    it('by a browser changes nothing of a key report beyond filling the visitor', async () => {
      const sent = order({ amount: 10 });
      await server.reportByKey(key, sent);
      const { data } = (
        await server.report({ ...sent, amount: 1, name: 'Eve', items: [{ sku: 'X' }], visitorId: 'v9' })
      ).body;
      expect(data).toMatchObject({ amount: 10, isNew: false });
      expect((await stored(sent.orderId))[0]).toMatchObject({
        amount: '10',
        name: null,
        items: null,
        visitor_id: 'v9',
        reported_by: 'both',
        source: 'MANUAL',
      });
    });

    it('by key does not change what an earlier key report said', async () => {
      const sent = order();
      await server.reportByKey(key, sent);
      await server.reportByKey(key, { ...sent, amount: 1, email: 'other@buyer.example', name: 'Other' });
      expect((await stored(sent.orderId))[0]).toMatchObject({
        amount: '49.9',
        email: 'ann@buyer.example',
        name: null,
      });
    });

    it('that a stranger makes with a guessed orderId learns nothing and leaves nothing', async () => {
      // More digits than the port in the address of the docs can have.
      const sent = order({ amount: 777_777, name: 'Secret' });
      await server.report(sent);
      const { status, text, body } = await server.report({ ...sent, email: 'guess@evil.example', amount: 0 });
      expect(status).toBe(409);
      expect(body.error).toEqual({
        code: 'order_conflict',
        message: 'This orderId is known with another buyer.',
        docs: expect.stringMatching('/docs/errors/order_conflict$'),
      });
      for (const secret of ['777777', 'Secret', 'ann@', 'ord_', 'ORD-', 'ppl_'])
        expect(text).not.toContain(secret);
      expect(await people('guess@evil.example')).toBe(0);
      expect((await stored(sent.orderId))[0]).toMatchObject({ amount: '777777', reported_by: 'browser' });
    });

    it('of another team with the same orderId is another order', async () => {
      const other = await server.addTeam('shop.example');
      const sent = order();
      await server.report(sent);
      expect((await server.report({ ...sent, teamId: other.teamId })).body.data.isNew).toBe(true);
    });

    it('gives a nameless person a name and never takes one away', async () => {
      const email = 'nameless@buyer.example';
      const name = async () =>
        (await server.sql`select name from person where team_id = ${team.uuid} and email = ${email}`)[0]!
          .name;
      await server.report(order({ email }));
      expect(await name()).toBe(null);
      await server.report(order({ email, name: 'First' }));
      expect(await name()).toBe('First');
      await server.report(order({ email, name: 'Second' }));
      expect(await name()).toBe('First');
    });
  });

  describe('concurrently', () => {
    it('100 reports of one orderId, half of them by key, make one order with exactly one isNew', async () => {
      const sent = order({ email: 'race@buyer.example' });
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => (n % 2 ? server.report(sent) : server.reportByKey(key, sent))),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array(100).fill(200));
      expect(answers.filter((answer) => answer.body.data.isNew)).toHaveLength(1);
      expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
      const rows = await stored(sent.orderId);
      expect(rows).toHaveLength(1);
      expect(rows[0]!.reported_by).toBe('both');
    });

    it('100 orders of one new email make one person', async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => server.report(order({ email: 'crowd@buyer.example' }))),
      );
      expect(new Set(answers.map((answer) => answer.body.data.peopleId)).size).toBe(1);
      expect(answers.every((answer) => answer.body.data.isNew)).toBe(true);
      expect(await people('crowd@buyer.example')).toBe(1);
    });

    it('good, foreign, conflicting and wrongly keyed reports each get their own verdict', async () => {
      const known = order({ email: 'known@buyer.example' });
      await server.report(known);
      const foreign = await server.addTeam('shop.example');
      const foreignKey = await server.addKey(foreign.uuid);
      const rounds = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const answers = await Promise.all([
            server.report(order()),
            server.report(order(), { origin: 'https://evil.example' }),
            server.report({ ...known, email: 'someone@else.example' }),
            server.reportByKey(foreignKey, order()),
            server.report(known),
          ]);
          return answers.map((answer) => answer.body.error?.code ?? answer.body.data.isNew);
        }),
      );
      for (const round of rounds)
        expect(round).toEqual([true, 'domain_not_allowed', 'order_conflict', 'team_mismatch', false]);
    });
  });
});
