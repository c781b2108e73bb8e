import type { Issue } from '@orderbeacon/sdk/contract';
import type { Fragment, Sql } from '../database/connection/connect.js';
import type { Exchange } from '../http/exchange.js';
import type { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';

/** The order that a notification is about. */
export interface AffectedOrder {
  id: Uuid;
  isTest: boolean;
  createdAt: Date;
}

/** A new or changed order. Its row and refunds are written. */
export interface OrderChange {
  /** The order before the change; null if the order is new. */
  before: AffectedOrder | null;
  after: AffectedOrder;
  /** Other orders that were merged into this one. */
  duplicates: readonly AffectedOrder[];
  /** Set if a field that lists and webhooks show has changed. Never set for a new order. */
  isShownChanged: boolean;
  /** Set if refunds were added, removed or changed. */
  areRefundsChanged: boolean;
}

/** Fields of a team from which features derive data. */
export interface EditedTeam {
  zone: string;
  storefrontUrl: string;
}

/** A new subscription. */
export interface AddedSubscription {
  id: Uuid;
  /** Set if a test API key added it. */
  isTest: boolean;
}

/**
 * A refused report, with its origin.
 * @typeParam Statement fields beyond the report that a shop system sent; a correction keeps them
 */
export interface RefusedReport<Statement extends object = object> {
  /** The refusal; `code` is the reason why the report is kept. */
  error: { code: string; issues?: Issue[] | undefined };
  /** Name of the first invalid field, as in the contract; empty if no field is invalid. */
  field: string;
  /** The page's host; empty for a report with an API key, and for a page that sends no host. */
  host: string;
  /** The client that sent it, see `clientBucket`. Absent for a source, and for an order that was stored. */
  client?: string;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The header `Idempotency-Key`; null if there was none. */
  idempotencyKey: string | null;
  statement?: Statement;
  /** The text of the body, and the JSON value in it. */
  text: string;
  value: unknown;
}

/** A new order that was committed. `providerIds` are the ids of its payment, set if the usual statement stored it. */
export interface StoredOrder {
  id: Uuid;
  createdAt: string;
  providerIds?: readonly string[];
}

/**
 * Notifications of changes to orders, people and teams. All members are optional. A member with `tx` is called inside the
 * transaction of the change, so its writes commit or roll back with it. It sends its first statement synchronously, so that the
 * first statements of all listeners share a round trip. Listeners are called in the order of their list.
 */
export interface Listener {
  /**
   * Returns a common table expression to add to the statement that stores new orders. It may read `stored`, the new rows of
   * `placed_order`, and `judged`, their authorized reports.
   */
  newOrders?(sql: Sql, teamId: Uuid): Fragment;
  /**
   * Called after reports of a team were committed, even if none was a new order. Never rejects. A server does not wait for the
   * promise; a command waits for it before it ends.
   * @param orders the new orders
   */
  onReportsStored?(teamId: Uuid, orders: readonly StoredOrder[]): Promise<void> | void;
  /**
   * Called if orders changed. Also called for new orders that their usual statement did not store, as on a cluster; otherwise
   * `newOrders` handles new orders.
   */
  onOrdersChanged?(tx: Sql, teamId: Uuid, changes: readonly OrderChange[]): Promise<unknown>;
  /** Moves a listener's data from one order to another, because the orders are one payment. `from` is removed after it. */
  onOrderMerged?(tx: Sql, teamId: Uuid, from: AffectedOrder, into: AffectedOrder): Promise<unknown>;
  /** Called if orders were removed, or their buyers erased: a listener removes its data about these. */
  onOrdersGone?(
    tx: Sql,
    teamId: Uuid,
    orders: readonly Pick<AffectedOrder, 'id' | 'createdAt'>[],
    how: 'removed' | 'erased',
  ): Promise<unknown>;
  /** A boolean expression: true if a listener wants to be notified of the team's new subscriptions. */
  wantsEnrolled?(sql: Sql, teamId: Uuid): Fragment;
  /** Called if subscriptions were added. Only called if `wantsEnrolled` of any listener is true. */
  onEnrolled?(tx: Sql, teamId: Uuid, subscriptions: readonly AddedSubscription[]): Promise<unknown>;
  /** Called if subscriptions were removed with their person. */
  onSubscriptionsGone?(tx: Sql, teamId: Uuid, ids: Uuid[]): Promise<unknown>;
  /** Called if a team was edited. Its row is locked, and already written. */
  onTeamChanged?(tx: Sql, teamId: Uuid, before: EditedTeam, after: EditedTeam): Promise<unknown>;
  /** Called by a command after it committed a team's time zone. The command waits for the promise. */
  onZoneStored?(sql: Sql, teamId: Uuid): Promise<unknown>;
  /**
   * Called first in the transaction that removes a team. The transaction may be retried. A listener takes its lock or writes data
   * that outlives the team.
   */
  onTeamRemoved?(tx: Sql, teamId: Uuid, now: Date): Promise<unknown>;
  /** Called when a server that has the demo begins to listen. `notify` writes a line to the operator, such as what to try first. */
  onListening?(sql: Sql, notify: (line: string) => void): Promise<unknown>;
  /** Called after a request that may have changed something was answered. Never throws. */
  onRequestAnswered?(): void;
  /**
   * Called before a refusal is answered. The answer waits for the promise. If the promise rejects, its reason is answered instead.
   */
  onRequestRefused?(exchange: Exchange, refusal: ApiError): Promise<void>;
  /**
   * Called if a report that did not come in a request was refused, such as one of a shop system. Rejects if the report could not be
   * kept.
   * @param wasAccepted set if the report was accepted before, but has no order. Nothing waits for the promise then, and it never
   *   rejects.
   */
  onReportRefused?(teamId: Uuid, refusal: RefusedReport, wasAccepted: boolean): Promise<unknown>;
  /**
   * Called if a report is answered with an order that was already known. Never throws, and nothing waits for it.
   * @param difference set if the report has another amount or currency than the order
   */
  onReportRepeated?(
    exchange: Exchange,
    teamId: Uuid,
    order: { id: Uuid; visitorId: string | null },
    difference: Issue | undefined,
  ): void;
}

/** All listeners, in the order in which they are notified. */
export type Listeners = readonly Listener[];

/** Members of `Listener` that `notifyListeners` may call. */
type Notification = Exclude<
  keyof Listener,
  'newOrders' | 'wantsEnrolled' | 'onReportRepeated' | 'onRequestAnswered' | 'onRequestRefused'
>;

/** Notifies all listeners, and resolves after all of them have finished. Then rejects with the first error, if any. */
export async function notifyListeners<Name extends Notification>(
  listeners: Listeners,
  name: Name,
  ...what: Parameters<NonNullable<Listener[Name]>>
): Promise<void> {
  const outcomes = await Promise.allSettled(
    listeners.map((each) => (each[name] as ((...given: typeof what) => unknown) | undefined)?.(...what)),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
