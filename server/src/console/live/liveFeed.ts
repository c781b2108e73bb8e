import { setTimeout as delay } from 'node:timers/promises';
import type { Uuid } from '../../values/ids.js';
import { once } from '../../values/once.js';
import type { Ask } from '../ask.js';
import { findNews } from '../sql/findNews.js';
import { createLivePlaces } from './livePlaces.js';

const everyMs = 1000;
/** A page is told of what came so long before it was made: an order may be committed later, and servers' clocks differ. */
const lookBackMs = 5_000;

/** A page that follows what arrives for a team. */
export interface Watcher {
  teamId: Uuid;
  /** The hash of the session that opened the page, with which watching ends. */
  sessionHash: string;
  /** The time at which the page was made. */
  sinceMs: number;
  /** Called when there is something new. */
  notify(): void;
  /** Called when nothing more will be said. The browser connects again if it may. */
  end(): void;
}

/** The watchers of a team, and what was the newest at the last look; undefined before it. */
interface Feed {
  watchers: Set<Watcher>;
  version: string | undefined;
  isBusy: boolean;
}

/** Starts watching. Returns the function that ends it. Throws `ApiError` `unavailable` when too many pages watch. */
export type Watch = (watcher: Watcher) => () => void;

/**
 * Tells the pages of a team within about a second that something is new: an order, a change of one, or a refused report.
 * Runs one statement a second for each team with a page, and none while no page is open.
 */
export function createLiveFeed(ask: Ask, isStopping: () => boolean): Watch {
  const feeds = new Map<Uuid, Feed>();
  const takePlace = createLivePlaces();
  let isRunning = false;

  return function watch(watcher) {
    const release = takePlace(watcher);
    const feed = feeds.get(watcher.teamId) ?? { watchers: new Set(), version: undefined, isBusy: false };
    feeds.set(watcher.teamId, feed);
    feed.watchers.add(watcher);
    if (!isRunning) void run();
    return once(() => {
      release();
      feed.watchers.delete(watcher);
      if (feed.watchers.size === 0) feeds.delete(watcher.teamId);
    });
  };

  async function run(): Promise<void> {
    isRunning = true;
    const known = new WeakSet<Watcher>();
    while (feeds.size > 0) {
      for (const [teamId, feed] of feeds) {
        if (isStopping()) for (const watcher of feed.watchers) watcher.end();
        // The next look, a second later, finds what this one fails to find.
        else if (!feed.isBusy) void look(teamId, feed, known).catch(() => {});
      }
      await delay(everyMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  async function look(teamId: Uuid, feed: Feed, known: WeakSet<Watcher>): Promise<void> {
    const watchers = [...feed.watchers];
    const sessions = [...new Set(watchers.map(({ sessionHash }) => sessionHash))];
    feed.isBusy = true;
    try {
      const { version, latestAt, live } = await ask(teamId, (sql) => findNews(sql, teamId, sessions));
      const isNew = feed.version !== undefined && feed.version !== version;
      feed.version = version;
      for (const watcher of watchers) {
        if (!live.includes(watcher.sessionHash)) watcher.end();
        else if (known.has(watcher) ? isNew : latestAt > watcher.sinceMs - lookBackMs) watcher.notify();
        known.add(watcher);
      }
    } finally {
      feed.isBusy = false;
    }
  }
}
