import type { Issue } from '@orderbeacon/sdk/contract';
import type { Fragment, Sql } from '../database/connection/connect.js';
import type { Exchange } from '../http/exchange.js';
import type { Uuid } from '../values/ids.js';

/** A report that is of no order, with the reason and its origin. */
export interface ReportWithoutOrder {
  /** The refusal; `code` is the reason that the report is kept for. */
  error: { code: string; issues?: Issue[] | undefined };
  /** The first invalid field, in the contract's words; empty for none. */
  field: string;
  /** The page's; empty for a report with a key, and for a page that names none. */
  host: string;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The header. */
  idempotencyKey: string | null;
  /** The body's text, and the value that could be read from it. */
  text: string;
  value: unknown;
}

/** An order that listeners hear of. */
export interface HeardOrder {
  id: Uuid;
  isTest: boolean;
  createdAt: Date;
}

/** A subscription that was added. */
export interface HeardSubscription {
  id: Uuid;
  /** True when a key for tests has added it. */
  isTest: boolean;
}

/**
 * What the core tells others of orders and people. All members are optional. Those with `tx` are called inside the transaction
 * of the change, so that what they write is there exactly if it commits; they send their first statement immediately, so that
 * those of all listeners share a round trip. Listeners are called in the order of their list.
 */
export interface Listener {
  /**
   * A statement for the one that stores new orders: a common table expression of its own, which may read `stored`, the rows of
   * `placed_order`, and `judged`, their reports.
   */
  newOrders?(sql: Sql, teamId: Uuid): Fragment;
  /** New orders were stored by statements of their own, as on a cluster, where `newOrders` has no part. */
  ordersStored?(tx: Sql, teamId: Uuid, ids: Uuid[]): Promise<unknown>;
  /**
   * After the commit of a team's reports, of which all may be known or refused. A server does not wait for the promise, a command
   * does before it ends; it never rejects.
   * @param orders those that are new
   */
  stored?(teamId: Uuid, orders: readonly { id: Uuid; createdAt: string }[]): Promise<void> | void;
  /** An order is another than `before`, whose row is written. `absorbed` are other orders of its payment, which are gone. */
  orderChanged?(
    tx: Sql,
    teamId: Uuid,
    change: { before: HeardOrder; after: HeardOrder; absorbed: readonly HeardOrder[] },
  ): Promise<unknown>;
  /** What is held of an order is that of another one from now on. `from` is removed after it. */
  orderMerged?(tx: Sql, teamId: Uuid, from: HeardOrder, into: HeardOrder): Promise<unknown>;
  /** The refunds of an order are others. */
  orderRefunded?(tx: Sql, teamId: Uuid, order: Pick<HeardOrder, 'id' | 'isTest'>): Promise<unknown>;
  /** Orders were removed, or have lost their buyers: nothing of these stays anywhere. */
  ordersGone?(
    tx: Sql,
    teamId: Uuid,
    orders: readonly Pick<HeardOrder, 'id' | 'createdAt'>[],
    how: 'removed' | 'erased',
  ): Promise<unknown>;
  /** True where new subscriptions of a team are to be told, as an expression. */
  wantsEnrolled?(sql: Sql, teamId: Uuid): Fragment;
  /** Subscriptions were added, of a team where any listener wants to be told. */
  enrolled?(tx: Sql, teamId: Uuid, subscriptions: readonly HeardSubscription[]): Promise<unknown>;
  /** Subscriptions were removed with their person. */
  subscriptionsGone?(tx: Sql, teamId: Uuid, ids: Uuid[]): Promise<unknown>;
  /** A team has another time zone. */
  zoneChanged?(tx: Sql, teamId: Uuid): Promise<unknown>;
  /** A page's report is answered with a known order. Never throws, and nothing waits for it. */
  repeated?(exchange: Exchange, teamId: Uuid, of: { id: Uuid; visitorId: string | null }): void;
  /** A report is answered with a known order of other money. Never throws. */
  differs?(exchange: Exchange, teamId: Uuid, issue: Issue): void;
  /** An accepted report has no order any more, or has never found one. After the commit. Never throws. */
  unplaced?(teamId: Uuid, report: ReportWithoutOrder): void;
}

/** All listeners, in the order in which they are told. */
export type Listeners = readonly Listener[];

/** Members that are told of something that has happened. */
type Told = Exclude<keyof Listener, 'newOrders' | 'wantsEnrolled' | 'differs' | 'repeated' | 'unplaced'>;

/** Tells all listeners, and resolves when all of them are done. Rejects with the first fault, after all. */
export async function tell<Name extends Told>(
  listeners: Listeners,
  name: Name,
  ...what: Parameters<NonNullable<Listener[Name]>>
): Promise<void> {
  const outcomes = await Promise.allSettled(
    listeners.map((each) => (each[name] as ((...given: typeof what) => unknown) | undefined)?.(...what)),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
