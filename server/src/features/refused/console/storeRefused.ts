import type { ConsoleContext } from '../../../console/context.js';
import { counted, modeText } from '../../../console/parts/format.js';
import { type Flash, setFlash } from '../../../console/parts/layout.js';
import { tooManyPages } from '../../../console/turns.js';
import type { Uuid } from '../../../values/ids.js';
import { createSemaphore } from '../../../values/semaphore.js';
import type { MakeChanges, RefusedChanges } from '../correct.js';
import type { RefusedFilter } from '../refusedReport.js';
import { type ReplayDeps, type Replayed, replayRefused } from '../replayRefused.js';

/** The result of a replay: numbers of reports by outcome, and the last report. */
export interface Stored {
  live: number;
  test: number;
  known: number;
  refused: number;
  /** Reports that were not tried, because time was up. */
  left: number;
  last: Replayed | undefined;
  /** The last report that is an order now: the order's `ord_…` and its mode. */
  lastStored: { id: string; isTest: boolean } | undefined;
}

/** Replays the refused reports of a filter, with or without corrections. */
export type StoreRefused = (
  teamId: Uuid,
  filter: RefusedFilter,
  changes?: RefusedChanges | MakeChanges,
) => Promise<Stored>;

/** Time limit of one press of a button. The page then shows how many reports are left. */
const storeForMs = 5_000;
/**
 * Limits of the replays of all teams. They run one at a time, because each holds a connection. Of the waiting ones, at most three
 * are of one team.
 */
const limits = { concurrent: 1, waiting: 20, waitingPerKey: 3, message: tooManyPages };

/**
 * Creates the function that replays refused reports for a page: one replay at a time on this server, each for at most 5
 * s.
 */
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

/** Redirects to the list, which shows the outcome. */
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
