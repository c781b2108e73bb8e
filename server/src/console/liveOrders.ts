import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../database/clock.js';
import type { ReportedBy } from '../orders/storedOrder.js';
import type { RefusedRow } from '../refused/refusedReport.js';
import { listRefused } from '../refused/sql/listRefused.js';
import { ApiError } from '../values/errors.js';
import { firstUuid, type Uuid } from '../values/ids.js';
import { once } from '../values/once.js';
import { createSemaphore } from '../values/semaphore.js';
import { dayMs } from '../values/timeUnits.js';
import type { Ask } from './ask.js';
import { findNewOrders } from './sql/findNewOrders.js';
import type { ShownOrderRow } from './sql/shownOrders.js';

/** A page that shows orders as they arrive. */
export interface Subscriber {
  teamId: Uuid;
  /** The hash of the session that opened the page. The subscription ends with the session. */
  sessionHash: string;
  /** Undefined for live and test orders. */
  isTest: boolean | undefined;
  /** Undefined for orders of any reporter. */
  reportedBy: ReportedBy | undefined;
  /** The page lacks what is newer than this. Sending it what it has does no harm. */
  sinceMs: number;
  /** Called with new and changed orders and with new refused reports, the newest first. Must not wait. */
  send(update: LiveUpdate): void;
  /** Called when nothing more will be sent. The browser connects again if it may. */
  end(): void;
}

/** New content of a live page: at most 50 orders and 5 refused reports. */
export interface LiveUpdate {
  orders: readonly ShownOrderRow[];
  refused: readonly RefusedRow[];
}

/** The subscribers of the same orders. */
interface Feed {
  subscribers: Set<Subscriber>;
  /** Those of them that were not sent anything yet. */
  newcomers: Set<Subscriber>;
  /** The newest orders as they were sent last, as JSON by id. */
  sentOrders: Map<Uuid, string>;
  /** The refused reports that were sent. */
  sentRefused: Set<Uuid>;
  isBusy: boolean;
}

const everyMs = 1000;
/**
 * Pages of this server, of one team, and of one browser, which opens six connections to a server over HTTP/1.1. Pages that
 * are never read stay for as long as they are connected, so they must not take all places.
 */
const pagesAtMost = { ofServer: 200, ofTeam: 50, ofSession: 10 };
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
  const { ofServer, ofTeam, ofSession } = pagesAtMost;
  const places = createSemaphore({ concurrent: ofServer, concurrentPerKey: ofTeam, waiting: 0 });
  const placesOfSessions = createSemaphore({
    concurrent: ofServer,
    concurrentPerKey: ofSession,
    waiting: 0,
  });
  let isRunning = false;

  /**
   * Subscribes a page. Returns the function that ends the subscription, which may be called again.
   * @throws ApiError `unavailable` when too many pages have subscribed
   */
  return function subscribe(subscriber: Subscriber): () => void {
    const release = takePlace(subscriber);
    const key = keyOf(subscriber);
    const feed = feeds.get(key) ?? {
      subscribers: new Set(),
      newcomers: new Set(),
      sentOrders: new Map(),
      sentRefused: new Set(),
      isBusy: false,
    };
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

  function takePlace({ teamId, sessionHash }: Subscriber): () => void {
    const releaseSession = placesOfSessions.tryAcquire(sessionHash);
    const release = releaseSession && places.tryAcquire(teamId);
    if (release) {
      return () => {
        release();
        releaseSession();
      };
    }
    releaseSession?.();
    throw new ApiError('unavailable', {
      message: 'Too many pages watch orders already. Close some of them.',
      headers: { 'Retry-After': '60' },
    });
  }

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
      const found = await ask((sql) =>
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
          : await ask((sql) => listRefused(sql, first.teamId, { ids, limit: ids.length }));
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

function sendUpdate(feed: Feed, { orders, refused }: LiveUpdate, newcomers: Subscriber[]): void {
  const versions = new Map(orders.map((order) => [order.id, JSON.stringify(order)]));
  const changed = orders.filter(({ id }) => feed.sentOrders.get(id) !== versions.get(id));
  const newRefused = refused.filter(({ id }) => !feed.sentRefused.has(id));
  feed.sentOrders = versions;
  for (const subscriber of feed.subscribers) {
    const isNew = newcomers.includes(subscriber);
    // One that subscribed while the statement ran gets from the next one all that it lacks.
    if (!isNew && feed.newcomers.has(subscriber)) continue;
    const update = isNew ? { orders, refused } : { orders: changed, refused: newRefused };
    feed.newcomers.delete(subscriber);
    if (update.orders.length + update.refused.length > 0) subscriber.send(update);
  }
}

function keyOf({ teamId, isTest, reportedBy }: Subscriber): string {
  return `${teamId} ${isTest} ${reportedBy}`;
}
