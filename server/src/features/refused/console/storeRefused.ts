import type { ConsoleContext } from '../../../console/context.js';
import { counted, modeText } from '../../../console/parts/format.js';
import { type Flash, setFlash } from '../../../console/parts/layout.js';
import { tooManyPages } from '../../../console/turns.js';
import type { Uuid } from '../../../values/ids.js';
import { createSemaphore } from '../../../values/semaphore.js';
import type { MakeChanges, RefusedChanges } from '../correct.js';
import type { RefusedFilter } from '../refusedReport.js';
import { type ReplayDeps, type Replayed, replayRefused } from '../replayRefused.js';

/** Numbers of reports by what became of them, and the last one. */
export interface Stored {
  live: number;
  test: number;
  known: number;
  refused: number;
  /** Reports that there was no time for. */
  left: number;
  last: Replayed | undefined;
  /** The last one that is an order now, with its `ord_…`. */
  lastStored: { id: string; isTest: boolean } | undefined;
}

/** Stores refused reports. */
export type StoreRefused = (
  teamId: Uuid,
  filter: RefusedFilter,
  changes?: RefusedChanges | MakeChanges,
) => Promise<Stored>;

/** Time limit for one press of a button. The page says how many reports are left then. */
const storeForMs = 5_000;
/** One at a time, because each holds a connection. A team that presses often leaves places to others. */
const limits = { concurrent: 1, waiting: 20, waitingPerKey: 3, message: tooManyPages };

/** Replays refused reports for a page: one replay at a time on this server, each for at most 5 s. */
export function createStoreRefused(deps: ReplayDeps): StoreRefused {
  const { run } = createSemaphore(limits);

  return async function storeRefused(teamId, filter, changes) {
    const outcome: Stored = {
      live: 0,
      test: 0,
      known: 0,
      refused: 0,
      left: 0,
      last: undefined,
      lastStored: undefined,
    };
    const onReplayed = (replayed: readonly Replayed[]) => {
      for (const { outcome: each } of replayed) {
        outcome[each.kind === 'new' ? modeText(each.isTest) : each.kind]++;
        if (each.kind !== 'refused') outcome.lastStored = each;
      }
      outcome.last = replayed.at(-1) ?? outcome.last;
    };
    const replay = async () => {
      const options = { untilMs: performance.now() + storeForMs, onReplayed, ...(changes && { changes }) };
      outcome.left = await replayRefused(deps, teamId, filter, options);
    };
    await run(replay, teamId);
    return outcome;
  };
}

/** Leads to the list, which says what became of the reports. */
export function sayStored(c: ConsoleContext, stored: Stored): Response {
  setFlash(c, wordsOf(c, stored));
  return c.redirect(c.var.link('/refused'), 303);
}

function wordsOf(c: ConsoleContext, { live, test, known, refused, left, lastStored }: Stored): Flash {
  const say = (number: number, one: string, many: string) =>
    number > 0 ? [counted(number, one, c.var.viewer, many)] : [];
  const words = [
    ...say(live, 'live order is stored.', 'live orders are stored.'),
    ...say(test, 'test order is stored.', 'test orders are stored.'),
    ...say(known, 'was already stored; nothing changed.', 'were already stored; nothing changed.'),
    ...say(refused, 'was refused again, and stays below.', 'were refused again, and stay below.'),
    ...say(left, 'is left: press again.', 'are left: press again.'),
  ];
  if (words.length === 0) words.push('Nothing was left to do. Someone else has already done it.');
  const isOne = live + test + known === 1;
  return {
    words: words.join(' '),
    tone: refused + left === 0 ? 'good' : 'bad',
    ...(lastStored && {
      see: {
        path: isOne ? `/orders/${lastStored.id}` : '/orders',
        parameters: { mode: modeText(lastStored.isTest) },
        words: isOne ? 'Open the order' : 'See the orders',
      },
    }),
  };
}
