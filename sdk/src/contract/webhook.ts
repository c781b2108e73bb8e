import type { Enrollment } from './enrollment';
import type { PlacedOrder } from './order';
import type { Timestamp } from './scalars';

/** The data of `orders.stopped`: a team that sells regularly has no live orders, or has orders again. */
export interface StoppedOrders {
  /** Name of the team. */
  teamName: string;
  /** Time of the last order before the silence. */
  lastOrderAt: Timestamp;
  /** Least number of orders that usually come in such a time; null if the silence has ended. */
  usualOrders: number | null;
  /** Time of the first order after the silence; null while it lasts. */
  endedAt: Timestamp | null;
  /** The event as a text for people, in English. */
  message: string;
}

/** The data of `refused.began`: a host, or a field and reason, is refused for the first time in 7 days. */
export interface BegunRefusals {
  /** Name of the team. */
  teamName: string;
  /**
   * The error code. If one sender has several: the most frequent one. Null, like `host` and `field`, in the event of a day
   * on which more hosts begin to be refused than are reported one by one.
   */
  reason: string | null;
  /** Host of the page; null for reports with a key, and for pages that send no origin. */
  host: string | null;
  /** The first invalid field; null if the refusal names none. */
  field: string | null;
  /** Number of reports that were refused so far. */
  reports: number;
  /** The event as a text for people, in English. */
  message: string;
}

/** The data of `order.merged`: two orders turned out to be one payment. This order remains. */
export interface MergedOrder extends PlacedOrder {
  /** Id `ord_…` of the other order, which is now a part of this one. */
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
  /** Time of the event. It is the same for all attempts. */
  timestamp: Timestamp;
  /** State at the time of the event. It is the same for all attempts. */
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
    /** The event as a text for people, in English. */
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
