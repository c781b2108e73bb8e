// @module-tag all
import { expect } from 'vitest';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import { discardOrder } from '../../../src/core/orders/store/discardOrder.js';
import { decodeId, encodeId } from '../../../src/values/ids.js';
import { listenersOf } from '../../kit/listeners.js';
import { asText, type ModelStep, possibleStates } from '../../kit/possibleStates.js';
import { createRandom } from '../../kit/random.js';
import { settle } from '../../kit/settle.js';
import { openShop, type Shop, shopAt, test } from '../../kit/shop.js';
import {
  applyDiscard,
  applyRead,
  applyRefund,
  applyReport,
  commitRefund,
  type ModelRefund,
  type RefundAnswer,
  type RefundedOrder,
  type RefundState,
  readModel,
} from './refundModel.js';

/** `REFUND_MODEL_SEED` repeats a run. */
const seed = Number(process.env.REFUND_MODEL_SEED ?? Date.now() % 1_000_000_000);
const operationsOfRound = 50;
const roundsSideBySide = 4;

type RefundOperation = { at: number } & (
  | ({ kind: 'report' } & Omit<RefundedOrder, 'id'>)
  | ({ kind: 'refund' } & ModelRefund)
  | { kind: 'read'; named: string; isTest: boolean }
  | { kind: 'discard'; id: string }
);

for (const [operations, tag] of [
  [400, 'slow'],
  [1_500, 'long'],
] as const)
  test(`${operations} random reports and refunds on two servers, some side by side, end as the rules say (REFUND_MODEL_SEED=${seed})`, {
    tags: [tag],
  }, async ({ server, beside }) => {
    const rounds = Math.ceil(operations / operationsOfRound);
    let next = 0;
    await Promise.all(
      Array.from({ length: roundsSideBySide }, async () => {
        while (next < rounds) {
          const roundSeed = seed + next++;
          const shop = await openShop(server);
          await playRound(roundSeed, [shop, shopAt(beside, shop)]);
        }
      }),
    );
  });

/** Plays operations on a new team at two servers. After each step it compares all rows of the team with the model. */
async function playRound(roundSeed: number, shops: [Shop, Shop]): Promise<void> {
  const { below, pick } = createRandom(roundSeed);
  const [{ sql, team, testKey }] = shops;
  const history: string[] = [];
  let states: RefundState[] = [{ orders: [], refunds: [] }];

  for (let count = 0; count < operationsOfRound; ) {
    const together = below(3) === 0 ? 2 + below(3) : 1;
    const burst = Array.from({ length: together }, () => randomStep(states[0]!));
    const outcomes = await Promise.all(burst.map(perform));
    history.push(...burst.map((step, at) => `${together} beside: ${JSON.stringify([step, outcomes[at]])}`));
    const added = new Set(outcomes.flatMap(({ isNew, order }) => (isNew && order) || []));
    const possible = await possibleStates(
      states,
      burst.map((step, at) => momentsOf(step, outcomes[at]!, added)),
    );
    const stored = await readStored();
    states = possible.filter((state) => storedOf(state) === stored);
    if (states.length === 0) {
      const lines = [`REFUND_MODEL_SEED=${roundSeed}`, ...history.slice(-12), `stored: ${stored}`];
      throw new Error([...lines, ...possible.map((state) => `possible: ${storedOf(state)}`)].join('\n'));
    }
    count += together;
  }

  function randomStep(state: RefundState): RefundOperation {
    const at = below(2);
    const isTest = below(5) === 0;
    const orderId = pick('x', 'y', 'z');
    const order = state.orders[below(state.orders.length)];
    const named = order && below(4) === 0 ? order.id : pick(orderId, orderId, 'unknown');
    const roll = below(100);
    if (roll < 5 && order) return { kind: 'discard', at, id: order.id };
    if (roll < 15) return { kind: 'read', at, named, isTest };
    if (roll < 45) {
      // A domain for tests is not needed, because the pages of the model are live.
      const isByKey = isTest || below(2) === 0;
      return { kind: 'report', at, orderId, isTest, isByKey, amount: isByKey ? 40 : pick(20, 30, 50) };
    }
    const refundId = `r-${below(12)}`;
    return { kind: 'refund', at, refundId, isTest, named, amount: pick(null, 5, 12.5, 12.5, 25, 50) };
  }

  async function perform(step: RefundOperation): Promise<RefundAnswer> {
    const shop = shops[step.at]!;
    const by = async (isTest: boolean) => (isTest ? { key: await testKey() } : {});
    if (step.kind === 'discard') {
      const id = decodeId('ord', step.id)!;
      const place = createPlaceStatements(sql, listenersOf(sql));
      const isDiscarded = await discardOrder(sql, place, team, id);
      return { status: isDiscarded ? 200 : 400 };
    }
    if (step.kind === 'read') {
      const { status, body } = await shop.read(step.named, await by(step.isTest));
      return status === 200 ? { status, read: toRead(body.data) } : { status };
    }
    if (step.kind === 'report') {
      const { orderId, amount, isTest, isByKey } = step;
      const { status, body } = isByKey
        ? await shop.reportByKey({ amount, orderId }, await by(isTest))
        : await shop.report({ amount, orderId });
      return { status, isNew: body.data?.isNew, order: body.data?.id };
    }
    const { refundId, named, amount, isTest } = step;
    const sent = { refundId, orderId: named, ...(amount !== null && { amount }) };
    const { status, body } = await shop.refund(sent, await by(isTest));
    return status === 200 ? { status, isNew: body.data.isNew, order: body.data.order } : { status };
  }

  /** Reads all orders of the team, and the refunds that wait. */
  async function readStored(): Promise<string> {
    await settle(sql, team);
    const orders = await sql<{ id: string; isTest: boolean }[]>`
      select id, is_test as "isTest" from placed_order where team_id = ${team}`;
    const read = await Promise.all(
      orders.map(async ({ id, isTest }) => {
        const look = () => perform({ kind: 'read', at: 1, named: encodeId('ord', id), isTest });
        let outcome = await look();
        // A busy server may be unable to answer. Asking again changes nothing.
        while (outcome.status === 503) outcome = await look();
        expect(outcome.status).toBe(200);
        return outcome.read!;
      }),
    );
    const waiting = await sql<{ refundId: string }[]>`
      select replace(object, 'refund:', '') as "refundId" from statement where team_id = ${team} and waits_as = 'refund'`;
    return asText({ orders: read, waiting: waiting.map(({ refundId }) => refundId) });
  }
}

/**
 * Lists the moments of a step. A refund that finds no order before it commits has two, others have one.
 * Of two pages that report an order concurrently, the amount of the one that arrived first counts, even if it is stored second.
 * @param added orders that a concurrent step has added
 */
function momentsOf(
  step: RefundOperation,
  outcome: RefundAnswer,
  added: ReadonlySet<string>,
): ModelStep<RefundState>[] {
  const answered: ModelStep<RefundState> = (state) => {
    const after = structuredClone(state);
    if (asText(apply(after, step, outcome)) !== asText(outcome)) return [];
    const order = after.orders.find(({ id }) => id === outcome.order);
    if (step.kind !== 'report' || outcome.isNew || order?.isByKey !== false || !added.has(order.id))
      return [after];
    const first = structuredClone(after);
    first.orders.find(({ id }) => id === order.id)!.amount = step.amount;
    return [after, first];
  };
  if (step.kind !== 'refund' || !outcome.isNew || outcome.order !== null) return [answered];
  const committed: ModelStep<RefundState> = (state) => {
    const after = structuredClone(state);
    commitRefund(after, step);
    return [after];
  };
  return [answered, committed];
}

function apply(state: RefundState, step: RefundOperation, outcome: RefundAnswer): RefundAnswer {
  const { at, ...said } = step;
  switch (said.kind) {
    case 'discard':
      return applyDiscard(state, said.id);
    case 'read':
      return applyRead(state, said.named, said.isTest);
    case 'report': {
      const { kind, ...report } = said;
      return applyReport(state, report, outcome.order ?? 'none');
    }
    case 'refund': {
      const { kind, ...refund } = said;
      return applyRefund(state, refund);
    }
  }
}

interface AnsweredOrder {
  id: string;
  amount: number;
  refundedAmount: number;
  paymentStatus: string;
  refunds: { refundId: string; amount: number }[];
}

function toRead({ id, amount, refundedAmount, paymentStatus, refunds }: AnsweredOrder) {
  const sum = refunds.reduce((total, refund) => total + refund.amount, 0);
  expect(Math.min(amount, sum)).toBe(refundedAmount);
  return {
    id,
    amount,
    refundedAmount,
    paymentStatus,
    refunds: refunds.map(({ refundId }) => refundId).sort(),
  };
}

function storedOf(state: RefundState): string {
  const waiting = state.refunds.filter(({ order }) => order === null);
  return asText({
    orders: state.orders.map((order) => readModel(state, order)),
    waiting: waiting.map(({ refundId }) => refundId),
  });
}
