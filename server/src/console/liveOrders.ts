import { setTimeout as delay } from 'node:timers/promises';
import type { RefusedRow } from '../refused/refusedReport.js';
import { ApiError } from '../values/errors.js';
import { firstUuid, type Uuid } from '../values/ids.js';
import type { Ask } from './ask.js';
import { findNewOrders } from './sql/findNewOrders.js';
import type { ShownOrderRow } from './sql/shownOrders.js';

/** A page that shows orders as they arrive. */
export interface Watcher {
  teamId: Uuid;
  /** The hash of the session that opened it; when that ends, so does this. */
  sessionHash: string;
  isTest: boolean | undefined;
  /** Since when it has to be told; what it has been told already does no harm. */
  sinceMs: number;
  /** Told of orders that are new or have changed, and of new refused reports, the newest first. Must not wait. */
  tell(news: LiveNews): void;
  /** Told when the server has nothing more to tell; the browser connects anew where it may. */
  end(): void;
}

/** What a page is told: at most 50 orders and 5 refused reports. */
export interface LiveNews {
  orders: readonly ShownOrderRow[];
  refused: readonly RefusedRow[];
}

/** All pages that watch the same orders. */
interface Feed {
  watchers: Set<Watcher>;
  newcomers: Set<Watcher>;
  /** What the watchers know of each of the newest orders. */
  told: Map<Uuid, string>;
  /** The refused reports that the watchers know of. */
  toldRefused: Set<Uuid>;
  isBusy: boolean;
}

const everyMs = 1000;
const watchersAtMost = 200;
/** An order may be committed after a later one, and servers' clocks differ: so far back is looked for new ones. */
const lookBackMs = 60_000;
/** No page that was away is told more than of this long; it shows 50 orders anyway. */
const catchUpMs = 24 * 60 * 60_000;

/**
 * Tells pages of new and changed orders, within about a second. One statement a second for all pages of this
 * server that watch the same orders of a team, and none while nobody watches.
 */
export function createLiveOrders(ask: Ask, isStopping: () => boolean) {
  const feeds = new Map<string, Feed>();
  let isRunning = false;

  return { watch, leave };

  /** @throws ApiError `unavailable` when 200 pages watch already */
  function watch(watcher: Watcher): void {
    const count = [...feeds.values()].reduce((sum, { watchers }) => sum + watchers.size, 0);
    if (count >= watchersAtMost) {
      throw new ApiError('unavailable', {
        message: `${watchersAtMost} pages of this server watch orders already.`,
        headers: { 'Retry-After': '60' },
      });
    }
    const key = keyOf(watcher);
    const feed = feeds.get(key) ?? {
      watchers: new Set(),
      newcomers: new Set(),
      told: new Map(),
      toldRefused: new Set(),
      isBusy: false,
    };
    feeds.set(key, feed);
    feed.watchers.add(watcher);
    feed.newcomers.add(watcher);
    if (!isRunning) void run();
  }

  function leave(watcher: Watcher): void {
    const feed = feeds.get(keyOf(watcher));
    feed?.watchers.delete(watcher);
    feed?.newcomers.delete(watcher);
    if (feed?.watchers.size === 0) feeds.delete(keyOf(watcher));
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (feeds.size > 0) {
      for (const feed of feeds.values()) {
        if (isStopping()) for (const watcher of feed.watchers) watcher.end();
        // What fails now is looked for again a second later.
        else if (!feed.isBusy) void look(feed).catch(() => {});
      }
      await delay(everyMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  async function look(feed: Feed): Promise<void> {
    const [first] = feed.watchers;
    if (!first) return;
    const newcomers = [...feed.newcomers];
    const now = new Date();
    const sinceMs = Math.min(now.getTime(), ...newcomers.map(({ sinceMs }) => sinceMs));
    const sessions = [...new Set([...feed.watchers].map(({ sessionHash }) => sessionHash))];
    feed.isBusy = true;
    try {
      const news = await ask((sql) =>
        findNewOrders(sql, first.teamId, {
          fromId: firstUuid(Math.max(sinceMs, now.getTime() - catchUpMs) - lookBackMs),
          isTest: first.isTest,
          sessions,
          now,
        }),
      );
      spread(feed, news, newcomers);
      for (const watcher of feed.watchers) if (!news.sessions.includes(watcher.sessionHash)) watcher.end();
    } finally {
      feed.isBusy = false;
    }
  }
}

function spread(feed: Feed, { orders, refused }: LiveNews, newcomers: Watcher[]): void {
  const versions = new Map(orders.map((order) => [order.id, JSON.stringify(order)]));
  const changed = orders.filter(({ id }) => feed.told.get(id) !== versions.get(id));
  const refusedNow = refused.filter(({ id }) => !feed.toldRefused.has(id));
  feed.told = versions;
  feed.toldRefused = new Set(refused.map(({ id }) => id));
  for (const watcher of feed.watchers) {
    const isNew = newcomers.includes(watcher);
    const news = isNew ? { orders, refused } : { orders: changed, refused: refusedNow };
    // One that came while the statement ran is told by the next one what it has missed.
    if (isNew) feed.newcomers.delete(watcher);
    if (news.orders.length + news.refused.length > 0) watcher.tell(news);
  }
}

function keyOf({ teamId, isTest }: Watcher): string {
  return `${teamId} ${isTest}`;
}
