import { asText, type ModelStep } from '../../kit/possibleWorlds.js';
import {
  discard,
  earlierTouches,
  erase,
  type ModelAnswer,
  type ModelOrder,
  report,
  shownMoney,
  type World,
} from './orderModel.js';
import type { OrderOperation, SentReport } from './orderOperations.js';

/**
 * Finds the worlds after an operation, if the model answers it as the server did.
 * @param before the worlds before those operations that ran beside this one
 */
export function worldsAfter(
  operation: OrderOperation,
  outcome: ModelAnswer,
  before: World[],
): ModelStep<World> {
  return (world) => {
    if (operation.kind === 'erase') {
      const copy = structuredClone(world);
      erase(copy, operation.email);
      return [copy];
    }
    if (operation.kind === 'discard') {
      const copy = structuredClone(world);
      return discard(copy, operation.id) === (outcome.status === 200) ? [copy] : [];
    }
    const { status } = operation.sent;
    if (status !== undefined) return outcome.status === status ? [world] : [];
    return reportTo(world, operation.sent, outcome.order ?? nothingMade, before)
      .filter(({ answer }) => asText(answer) === asText(outcome))
      .map(({ world }) => world);
  };
}

/**
 * Finds the worlds after an operation that was answered 503: it is stored or not, whatever its answer would have been.
 * @param made stored orders that no world before has with this time: it may have made or dated one of them
 */
export function perhapsStored(operation: OrderOperation, made: Made[], before: World[]): ModelStep<World> {
  return (world) => {
    if (operation.kind !== 'report' || operation.sent.status !== undefined) return [world];
    const { sent } = operation;
    const after = [nothingMade, ...made].flatMap((order) => reportTo(world, sent, order, before));
    const possible = after.filter(({ world }) => world.orders.every(({ at }) => at !== nothingMade.at));
    return [world, ...possible.map(({ world }) => world)];
  };
}

/** Orders and people of a world, in the form in which the server shows them. */
export function storedOf({ orders, people, keys }: World): string {
  return asText({
    orders: orders.map(
      ({ byPage, byKey, name, items, visitorId, firstTouch, lastTouch, extra, ...order }) => ({
        ...order,
        ...shownMoney({ ...order, byKey } as ModelOrder),
        name: name?.value ?? null,
        items: items?.value ?? null,
        visitorId: visitorId?.value ?? null,
        firstTouch: firstTouch?.value ?? null,
        lastTouch: lastTouch?.value ?? null,
        keys: keys
          .filter((key) => key.order === order.id)
          .map(({ key }) => key)
          .sort(),
        extra: extra?.value ?? null,
        reportedBy: byPage && byKey ? 'both' : byKey ? 'key' : 'browser',
      }),
    ),
    people: Object.entries(people).map(([email, { name }]) => ({ email, name })),
  });
}

/** Stands for the order of a report that neither makes nor dates one. */
const nothingMade = { id: 'none', at: '' };

type Made = Pick<ModelOrder, 'id' | 'at'>;

/**
 * The answers to a report, each with the world after it: one for each order whose touches it may take. A statement reads as
 * of its begin: a report that has waited until an order was discarded may take the touches of that order.
 */
function reportTo(world: World, { means }: SentReport, { id, at }: Made, before: World[]) {
  const isKnown = world.orders.some((order) => order.id === id);
  const touches = new Set([world, ...before].flatMap((one) => earlierTouches(one, means)));
  return [...touches]
    .map((earlier) => {
      const copy = structuredClone(world);
      return { answer: report(copy, means, { id, at }, earlier), world: copy };
    })
    .filter(({ answer }) => !(answer.isNew && isKnown));
}
