import type { ReportedBy } from '../../orders/storedOrder.js';
import type { RefusedRow } from '../../refused/refusedReport.js';
import type { Uuid } from '../../values/ids.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';

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
export interface Feed {
  subscribers: Set<Subscriber>;
  /** Those of them that were not sent anything yet. */
  newcomers: Set<Subscriber>;
  /** The newest orders as they were sent last, as JSON by id. */
  sentOrders: Map<Uuid, string>;
  /** The refused reports that were sent. */
  sentRefused: Set<Uuid>;
  isBusy: boolean;
}

/** Creates a feed without subscribers. */
export function createFeed(): Feed {
  return {
    subscribers: new Set(),
    newcomers: new Set(),
    sentOrders: new Map(),
    sentRefused: new Set(),
    isBusy: false,
  };
}

/** Names the feed of a subscriber: those with the same one see the same orders. */
export function feedKeyOf({ teamId, isTest, reportedBy }: Subscriber): string {
  return `${teamId} ${isTest} ${reportedBy}`;
}

/** Sends newcomers all that was found, and others what they lack. */
export function sendUpdate(feed: Feed, { orders, refused }: LiveUpdate, newcomers: Subscriber[]): void {
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
