import type { RefusedFilter } from '../refused/refusedReport.js';
import {
  type RefusedChanges,
  type ReplayDeps,
  type Replayed,
  replayRefused,
} from '../refused/replayRefused.js';
import type { Uuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';
import { type Ask, tooManyPages } from './ask.js';
import type { RefusedNews } from './refusedQuery.js';

/** Stores refused reports; resolves with what became of them, and of one report with its last outcome. */
export type StoreRefused = (
  teamId: Uuid,
  filter: RefusedFilter,
  changes?: RefusedChanges,
) => Promise<{ news: RefusedNews; last: Replayed | undefined }>;

/** How long somebody waits for a press of a button; what is left then is said. */
const storeForMs = 5_000;
/** One at a time, so that the console's other pages keep a connection. */
const limits = { concurrent: 1, waiting: 5, message: tooManyPages };

/**
 * Replays refused reports for a page: one replay at a time on this server, and each for some seconds.
 * @param ask the turn of a page at the console's connections
 */
export function createStoreRefused(ask: Ask, deps: Omit<ReplayDeps, 'sql'>): StoreRefused {
  const { run } = createSemaphore(limits);

  return async function storeRefused(teamId, filter, changes) {
    const news = { stored: 0, known: 0, refused: 0, left: 0, discarded: 0 };
    let last: Replayed | undefined;
    const onReplayed = (replayed: readonly Replayed[]) => {
      for (const { outcome } of replayed) news[outcome.kind === 'new' ? 'stored' : outcome.kind]++;
      last = replayed.at(-1) ?? last;
    };
    await run(() =>
      ask(async (sql) => {
        const options = { untilMs: performance.now() + storeForMs, onReplayed, ...(changes && { changes }) };
        news.left = await replayRefused({ sql, ...deps }, teamId, filter, options);
      }),
    );
    return { news, last };
  };
}
