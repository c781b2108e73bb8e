import { createRandom, type Random } from '../../../../kit/random.js';
import { type Message, repeaters, type ShopKind, type SimulatedShop } from './simulatedShop.js';

/** A turn of an order, and how its messages reach the server. */
export interface Step {
  turn: string;
  order: number;
  /** Seconds since the turn before. */
  afterS: number;
  /** Seed of the random choices of this turn. */
  luck: number;
  /** For each message the delays in seconds with which it arrives; empty if it is lost. */
  arrivals: number[][];
}

/** The history of a shop. */
export interface History {
  habits: number;
  /** Number of messages that are sent concurrently, alternately to two servers. */
  together: number;
  steps: Step[];
}

/** A message that reaches the server; `atS` is in seconds since the shop's first turn. */
export interface Arrival {
  atS: number;
  message: Message;
}

/** A history that was played. */
export interface Life {
  shop: SimulatedShop;
  arrivals: Arrival[];
  /** Time of the last turn, in seconds since the first one. */
  endS: number;
}

/** The turn in which the server is away: webhooks are lost, or repeated afterwards, and pages send again. */
const away = 'away';
const orders = 5;

/** Makes the history of a shop. It is the same for the same seed. */
export function makeHistory(kind: ShopKind, seed: number, startMs: number): History {
  const random = createRandom(seed);
  const history: History = {
    habits: random.below(2 ** 31),
    together: random.pick(1, 1, 2, 4),
    steps: [],
  };
  const names = [...Object.keys(kind.turns), away];
  const weighted = names.flatMap((name) => Array<string>(kind.turns[name] ?? 1).fill(name));
  const wanted = 4 + random.below(26);
  const life = begin(kind, history, startMs);
  for (let tries = 0; tries < 400 && history.steps.length < wanted; tries++) {
    const step: Step = {
      turn: random.pick(...weighted),
      order: random.below(orders),
      afterS: random.pick(0, 1, 2, 30, 120, 120, 600, 3_600),
      luck: random.below(2 ** 31),
      arrivals: [1, 2, 3, 4, 5].map(() => makeDelays(random)),
    };
    if (life.take(step)) history.steps.push(step);
  }
  return history;
}

function makeDelays(random: Random): number[] {
  const later = random.pick(1, 60, 900, 7_200, 40_000);
  return random.pick([0], [0], [0], [0], [0], [0], [], [later], [later], [0, later]);
}

/** Plays a history. It skips steps that an order cannot take. */
export function live(kind: ShopKind, history: History, startMs: number): Life {
  const life = begin(kind, history, startMs);
  for (const step of history.steps) life.take(step);
  return life.end();
}

function begin(kind: ShopKind, { habits }: History, startMs: number) {
  const shop = kind.open(createRandom(habits), startMs);
  const arrivals: Arrival[] = [];
  let nowS = 0;
  let awayUntilS = 0;

  /** Takes a step. Returns false if it changes nothing. */
  function take({ turn, order, afterS, luck, arrivals: delays }: Step): boolean {
    const atS = nowS + afterS;
    const random = createRandom(luck);
    if (turn === away) {
      nowS = atS;
      awayUntilS = atS + random.pick(300, 3_600, 20_000);
      return true;
    }
    const isAway = atS < awayUntilS;
    const delaysOf = (message: number) => delays[message] ?? [0];
    const messages = shop.take(turn, order, {
      nowMs: startMs + 1_000 * atS,
      random,
      arrives: (message) => delaysOf(message).length > 0 && (!isAway || repeaters.has(kind.providers[0]!)),
    });
    if (messages === null) return false;
    nowS = atS;
    for (const [number, message] of messages.entries()) {
      const isLost = isAway && message.by === 'webhook' && !repeaters.has(message.from);
      const fromS = isAway ? awayUntilS : atS;
      // A page keeps its report until it is answered.
      const delayed = message.by === 'webhook' ? delaysOf(number) : [delaysOf(number)[0] ?? 0];
      if (!isLost) arrivals.push(...delayed.map((delayS) => ({ atS: fromS + delayS, message })));
    }
    return true;
  }

  return {
    take,
    end(): Life {
      awayUntilS = 0;
      for (let order = 0; order < orders; order++) {
        const turn = shop.closing(order);
        if (turn !== null && !take({ turn, order, afterS: 120, luck: 1, arrivals: [] }))
          throw new Error(`Order ${order} cannot take its closing turn ${turn}.`);
      }
      return { shop, arrivals: arrivals.sort((a, b) => a.atS - b.atS), endS: nowS };
    },
  };
}
