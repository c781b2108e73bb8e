import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../database/clock.js';
import { listRefused } from '../../refused/sql/listRefused.js';
import { firstUuid } from '../../values/ids.js';
import { once } from '../../values/once.js';
import { dayMs } from '../../values/timeUnits.js';
import type { Ask } from '../ask.js';
import { findNewOrders } from '../sql/findNewOrders.js';
import { createFeed, type Feed, feedKeyOf, type Subscriber, sendUpdate } from './liveFeed.js';
import { createLivePlaces } from './livePlaces.js';

const everyMs = 1000;
/** Each look goes back this far, because an order may be committed after a later one, and servers' clocks differ. */
const lookBackMs = 60_000;
/** A page that was away for longer gets the orders of this long. It shows no more than 50 orders anyway. */
const catchUpMs = dayMs;

/**
 * Sends new and changed orders to subscribed pages within about a second. Runs one statement a second for all pages of
 * this server that show the same orders of a team, and none while no page is open.
 */
export function createLiveOrders(ask: Ask, clock: Pick<Clock, 'nowMs'>, isStopping: () => boolean) {
  const feeds = new Map<string, Feed>();
  const takePlace = createLivePlaces();
  let isRunning = false;

  /**
   * Subscribes a page. Returns the function that ends the subscription, which may be called again.
   * @throws ApiError `unavailable` when too many pages have subscribed
   */
  return function subscribe(subscriber: Subscriber): () => void {
    const release = takePlace(subscriber);
    const key = feedKeyOf(subscriber);
    const feed = feeds.get(key) ?? createFeed();
    feeds.set(key, feed);
    feed.subscribers.add(subscriber);
    feed.newcomers.add(subscriber);
    if (!isRunning) void run();
    return once(() => {
      release();
      feed.subscribers.delete(subscriber);
      feed.newcomers.delete(subscriber);
      if (feed.subscribers.size === 0) feeds.delete(key);
    });
  };

  async function run(): Promise<void> {
    isRunning = true;
    while (feeds.size > 0) {
      for (const feed of feeds.values()) {
        if (isStopping()) for (const subscriber of feed.subscribers) subscriber.end();
        // The next look, a second later, finds what this one fails to find.
        else if (!feed.isBusy) void look(feed).catch(() => {});
      }
      await delay(everyMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  async function look(feed: Feed): Promise<void> {
    const [first] = feed.subscribers;
    if (!first) return;
    const newcomers = [...feed.newcomers];
    const nowMs = clock.nowMs();
    const sinceMs = Math.min(nowMs, ...newcomers.map(({ sinceMs }) => sinceMs));
    const sessions = [...new Set([...feed.subscribers].map(({ sessionHash }) => sessionHash))];
    feed.isBusy = true;
    try {
      const found = await ask(first.teamId, (sql) =>
        findNewOrders(sql, first.teamId, {
          fromId: firstUuid(Math.max(sinceMs, nowMs - catchUpMs) - lookBackMs),
          isTest: first.isTest,
          reportedBy: first.reportedBy,
          sessions,
        }),
      );
      // A newcomer lacks them all.
      const ids =
        newcomers.length > 0 ? found.refused : found.refused.filter((id) => !feed.sentRefused.has(id));
      const refused =
        ids.length === 0
          ? []
          : await ask(first.teamId, (sql) => listRefused(sql, first.teamId, { ids, limit: ids.length }));
      sendUpdate(feed, { orders: found.orders, refused }, newcomers);
      feed.sentRefused = new Set(found.refused);
      const ended = sessions.filter((session) => !found.sessions.includes(session));
      for (const subscriber of feed.subscribers) {
        if (ended.includes(subscriber.sessionHash)) subscriber.end();
      }
    } finally {
      feed.isBusy = false;
    }
  }
}
