import type { Enrollment } from './enrollment';
import type { PlacedOrder } from './order';
import type { Timestamp } from './scalars';

/** The data of `orders.stopped`: a team that sells regularly has no live orders, or has them again. */
export interface StoppedOrders {
  /** Name of the team. */
  teamName: string;
  /** Time of the last order before the silence. */
  lastOrderAt: Timestamp;
  /** Orders that usually would have come since then, at least; null when the silence has ended. */
  usualOrders: number | null;
  /** Time of the first order after the silence; null while it lasts. */
  endedAt: Timestamp | null;
  /** The same as a text for people, in English. */
  message: string;
}

/** The data of `refused.began`: reports are refused as none were in the 7 days before. */
export interface BegunRefusals {
  /** Name of the team. */
  teamName: string;
  /** The error code; of several of one sender the most frequent one. Null for more hosts on one day than are reported one by one; so are `host` and `field`. */
  reason: string | null;
  /** Host of the page; null for reports with a key, and for pages that name none. */
  host: string | null;
  /** The first invalid field; null for none. */
  field: string | null;
  /** Reports that were refused so far. */
  reports: number;
  /** The same as a text for people, in English. */
  message: string;
}

/** The data of `order.merged`: two orders turned out to be one payment. This is the order that is left. */
export interface MergedOrder extends PlacedOrder {
  /** The id of the other order, `ord_…`, which is a part of this one from now on. */
  mergedId: string;
}

/** The data of `enrollment.created`. */
export interface EnrolledPerson extends Enrollment {
  /** Email of the person. */
  email: string;
}

/** The body of a request to a webhook. */
export interface WebhookBody<Type extends string, Data> {
  /** The kind of event. */
  type: Type;
  /** Time of the event. The same for all attempts. */
  timestamp: Timestamp;
  /** As it was at the event. The same for all attempts. */
  data: Data;
}

export type OrderEvent = WebhookBody<'order.created' | 'order.changed' | 'order.refunded', PlacedOrder>;
export type MergedOrderEvent = WebhookBody<'order.merged', MergedOrder>;
export type EnrollmentEvent = WebhookBody<'enrollment.created', EnrolledPerson>;
export type StoppedOrdersEvent = WebhookBody<'orders.stopped', StoppedOrders>;
export type BegunRefusalsEvent = WebhookBody<'refused.began', BegunRefusals>;
export type TestEvent = WebhookBody<
  'hook.test',
  {
    /** The same as a text for people, in English. */
    message: string;
  }
>;

/** The body of a request to a webhook, by `type`. Later releases may add types. */
export type WebhookEvent =
  | OrderEvent
  | MergedOrderEvent
  | EnrollmentEvent
  | StoppedOrdersEvent
  | BegunRefusalsEvent
  | TestEvent;
