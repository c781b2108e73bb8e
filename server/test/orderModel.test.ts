import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseBuyer } from '../src/commands/eraseBuyer.js';
import { findSecret } from '../src/database/installation.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { toListedOrder } from '../src/orders/listedOrder.js';
import { listOrders } from '../src/orders/sql/listOrders.js';
import { discardOrder } from '../src/orders/sql/placedOrder.js';
import { listPeople } from '../src/people/sql/person.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { decodeId, personUuid } from '../src/values/ids.js';
import {
  discard,
  earlierTouches,
  emptyWorld,
  erase,
  type ModelAnswer,
  report,
  type World,
} from './orderModel.js';
import { createRandom, type OrderOperation, randomOperation, type SentReport } from './orderOperations.js';
import { asText, type ModelStep, possibleWorlds } from './possibleWorlds.js';
import { sendTo, startServerBeside, startTestServer } from './server.js';

/** `ORDER_MODEL_SEED` repeats a run, and `ORDER_MODEL_OPERATIONS` makes it longer. */
const seed = Number(process.env.ORDER_MODEL_SEED ?? Date.now() % 1_000_000_000);
const operations = Number(process.env.ORDER_MODEL_OPERATIONS ?? 2_000);
const operationsOfRound = 50;
const timeoutMs = Math.max(240_000, operations * 60);
const roundsSideBySide = 6;

let server: Awaited<ReturnType<typeof startTestServer>>;
let beside: Awaited<ReturnType<typeof startServerBeside>>;
let secret: string;

beforeAll(async () => {
  // On a busy machine a refused report may wait long to be kept. It is then answered with 503, which is no rule of orders.
  const refused = { waitAtMostMs: 60_000 };
  server = await startTestServer({}, undefined, {}, { refused });
  beside = await startServerBeside(server.env.DATABASE_URL!, refused);
  secret = await findSecret(server.sql);
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

it(
  `${operations} random operations on two servers, some side by side, end as the rules say (ORDER_MODEL_SEED=${seed})`,
  async () => {
    const rounds = Math.ceil(operations / operationsOfRound);
    let next = 0;
    await Promise.all(
      Array.from({ length: roundsSideBySide }, async () => {
        while (next < rounds) await playRound(seed + next++);
      }),
    );
  },
  timeoutMs,
);

/** Plays operations on a new team, and compares all that is stored of it after each that ran beside others. */
async function playRound(roundSeed: number): Promise<void> {
  const random = createRandom(roundSeed);
  const team = await server.addTeam('shop.example');
  const { sql } = server;
  await addDomain(sql, team.uuid, { entry: 'localhost', isTest: true });
  const keys = { live: await server.addKey(team.uuid), test: await server.addKey(team.uuid, 'test') };
  const sent: SentReport[] = [];
  const history: string[] = [];
  let worlds: World[] = [emptyWorld()];

  for (let count = 0; count < operationsOfRound; ) {
    const together = random.below(4) === 0 ? 2 + random.below(3) : 1;
    const burst = Array.from({ length: together }, () =>
      randomOperation(random, worlds[0]!, sent, together > 1),
    );
    for (const operation of burst) if (operation.kind === 'report') sent.push(operation.sent);
    const startedAt = Date.now();
    const outcomes = await Promise.all(burst.map(perform));
    history.push(...burst.map((operation, at) => describe(together, operation, outcomes[at]!)));
    const possible = possibleWorlds(
      worlds,
      burst.map((operation, at) => [worldsAfter(operation, outcomes[at]!)]),
    );
    count += together;
    const stored = together > 1 || count >= operationsOfRound ? await readStored() : null;
    worlds = possible.filter((world) => stored === null || stored === storedOf(world));
    if (worlds.length === 0) {
      const failures = [...server.lines, ...beside.lines].filter((line) => line.includes('"error"'));
      const lines = [
        `ORDER_MODEL_SEED=${roundSeed}`,
        ...history.slice(-12),
        `stored: ${stored}`,
        ...failures,
      ];
      throw new Error([...lines, ...possible.map((world) => `possible: ${storedOf(world)}`)].join('\n'));
    }
    for (const outcome of outcomes)
      if (outcome.isNew) expect(Date.parse(outcome.order!.at)).toBeGreaterThan(startedAt - 1_000);
  }

  async function perform(operation: OrderOperation): Promise<ModelAnswer> {
    if (operation.kind === 'erase') {
      const { email } = operation;
      await eraseBuyer(sql, team.uuid, { id: personUuid(secret, team.uuid, email), email });
      return { status: 200 };
    }
    if (operation.kind === 'discard') {
      const id = decodeId('ord', operation.id)!;
      const isDiscarded = await inTransaction(sql, (tx) => discardOrder(tx, team.uuid, id));
      return { status: isDiscarded ? 200 : 400 };
    }
    return send(operation.sent);
  }

  async function send({ body, headers, by, isTest, at }: SentReport): Promise<ModelAnswer> {
    const origin = isTest ? 'http://localhost:3000' : 'https://shop.example';
    const trust = by === 'page' ? { origin } : { authorization: `Bearer ${isTest ? keys.test : keys.live}` };
    const url = new URL('/svc-api/v1/orders', at === 0 ? server.url : beside.url);
    const { status, body: answer } = await sendTo(url, 'POST', {
      headers: { 'content-type': 'application/json', ...trust, ...headers },
      body: JSON.stringify({ teamId: team.teamId, ...body }),
    });
    if (status === 422)
      return { status, fields: answer.error.message.match(/another (.*); nothing/)[1].split(', ') };
    if (status !== 200) return { status };
    const { id, createdAt, amount, currency, isNew } = answer.data;
    return { status, order: { id, at: createdAt, amount, currency, isTest: answer.data.isTest }, isNew };
  }

  /** Reads all that is stored of the team, in the form of `storedOf`. */
  async function readStored(): Promise<string> {
    const [orders, people] = await Promise.all([listOrders(sql, team.uuid), listPeople(sql, team.uuid)]);
    return asText({
      orders: orders.map(toListedOrder).map((order) => ({
        id: order.id,
        at: order.createdAt,
        isTest: order.isTest,
        email: order.email,
        amount: order.amount,
        currency: order.currency,
        source: order.source,
        orderId: order.orderId,
        reportId: order.reportId,
        firstKey: order.idempotencyKey,
        name: order.name,
        items: order.items && JSON.stringify(order.items),
        visitorId: order.visitorId,
        touches:
          (order.firstTouch || order.lastTouch) &&
          JSON.stringify([order.firstTouch?.source ?? null, order.lastTouch?.source ?? null]),
        extra: order.extra && JSON.stringify(order.extra),
        reportedBy: order.reportedBy,
      })),
      people: people.map(({ email, name }) => ({ email, name })),
    });
  }
}

/** The worlds after an operation, if it is answered as it was. */
function worldsAfter(operation: OrderOperation, outcome: ModelAnswer): ModelStep<World> {
  return (world) => {
    const after = (change: (copy: World) => boolean) => {
      const copy = structuredClone(world);
      return change(copy) ? [copy] : [];
    };
    if (operation.kind === 'erase')
      return after((copy) => {
        erase(copy, operation.email);
        return true;
      });
    if (operation.kind === 'discard')
      return after((copy) => discard(copy, operation.id) === (outcome.status === 200));
    const { status, means } = operation.sent;
    if (status !== undefined) return outcome.status === status ? [world] : [];
    const made = outcome.order ?? { id: 'none', at: '' };
    if (outcome.isNew && world.orders.some(({ id }) => id === made.id)) return [];
    return earlierTouches(world, means).flatMap((earlier) =>
      after((copy) => asText(report(copy, means, made, earlier)) === asText(outcome)),
    );
  };
}

function storedOf({ orders, people }: World): string {
  return asText({
    orders: orders.map(({ byPage, byKey, name, items, visitorId, touches, extra, ...order }) => ({
      ...order,
      name: name?.value ?? null,
      items: items?.value ?? null,
      visitorId: visitorId?.value ?? null,
      touches: touches?.value ?? null,
      extra: extra?.value ?? null,
      reportedBy: byPage && byKey ? 'both' : byKey ? 'key' : 'browser',
    })),
    people: Object.entries(people).map(([email, { name }]) => ({ email, name })),
  });
}

function describe(together: number, operation: OrderOperation, outcome: ModelAnswer): string {
  const asked = operation.kind === 'report' ? operation.sent.means : operation;
  return `${together} beside: ${JSON.stringify(asked)} => ${JSON.stringify(outcome)}`;
}
