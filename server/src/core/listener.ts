import type { Issue } from '@orderbeacon/sdk/contract';
import type { Fragment, Sql } from '../database/connection/connect.js';
import type { Exchange } from '../http/exchange.js';
import type { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';

/** An order that listeners hear of. */
export interface AffectedOrder {
  id: Uuid;
  isTest: boolean;
  createdAt: Date;
}

/** A new or changed order, whose row and refunds are written. */
export interface OrderChange {
  /** Null for a new order. */
  before: AffectedOrder | null;
  after: AffectedOrder;
  /** Other orders of the payment, which are part of this one now. */
  duplicates: readonly AffectedOrder[];
  /** Set if the order shows something else than before. Never set for a new order. */
  isShownChanged: boolean;
  /** Set if refunds came, went or changed. */
  areRefundsChanged: boolean;
}

/** Fields of a team that features derive something from. */
export interface EditedTeam {
  zone: string;
  storefrontUrl: string;
}

/** A subscription that was added. */
export interface AddedSubscription {
  id: Uuid;
  /** True when a key for tests has added it. */
  isTest: boolean;
}

/**
 * A report that was refused, with its origin.
 * @typeParam Statement what a shop system said beyond the report, which a correction keeps
 */
export interface RefusedReport<Statement extends object = object> {
  /** The refusal; `code` is the reason that the report is kept for. */
  error: { code: string; issues?: Issue[] | undefined };
  /** The first invalid field, in the contract's words; empty for none. */
  field: string;
  /** The page's; empty for a report with a key, and for a page that names none. */
  host: string;
  /** The client that sent it, see `clientBucket`; of an order that was stored, and of a source, none. */
  client?: string;
  /** SHA-256 of the API key; null for a page. */
  keyHash: string | null;
  /** The header. */
  idempotencyKey: string | null;
  statement?: Statement;
  /** The body's text, and the value that could be read from it. */
  text: string;
  value: unknown;
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
  /**
   * After the commit of a team's reports, of which all may be known or refused. A server does not wait for the promise, a command
   * does before it ends; it never rejects.
   * @param orders those that are new
   */
  onReportsStored?(teamId: Uuid, orders: readonly { id: Uuid; createdAt: string }[]): Promise<void> | void;
  /**
   * Orders changed, or were stored by statements of their own, as on a cluster. New orders of the usual statement go to
   * `newOrders` instead.
   */
  onOrdersChanged?(tx: Sql, teamId: Uuid, changes: readonly OrderChange[]): Promise<unknown>;
  /** What is held of an order is that of another one from now on. `from` is removed after it. */
  onOrderMerged?(tx: Sql, teamId: Uuid, from: AffectedOrder, into: AffectedOrder): Promise<unknown>;
  /** Orders were removed, or have lost their buyers: nothing of these stays anywhere. */
  onOrdersGone?(
    tx: Sql,
    teamId: Uuid,
    orders: readonly Pick<AffectedOrder, 'id' | 'createdAt'>[],
    how: 'removed' | 'erased',
  ): Promise<unknown>;
  /** True where new subscriptions of a team are to be told, as an expression. */
  wantsEnrolled?(sql: Sql, teamId: Uuid): Fragment;
  /** Subscriptions were added, of a team where any listener wants to be told. */
  onEnrolled?(tx: Sql, teamId: Uuid, subscriptions: readonly AddedSubscription[]): Promise<unknown>;
  /** Subscriptions were removed with their person. */
  onSubscriptionsGone?(tx: Sql, teamId: Uuid, ids: Uuid[]): Promise<unknown>;
  /** A team was edited. Its row is locked, and written. */
  onTeamChanged?(tx: Sql, teamId: Uuid, before: EditedTeam, after: EditedTeam): Promise<unknown>;
  /** A command has committed a team's time zone. It waits for the promise. */
  onZoneStored?(sql: Sql, teamId: Uuid): Promise<unknown>;
  /** Called first in the transaction that removes a team, which may be made again: a listener takes its lock or writes what stays. */
  onTeamRemoved?(tx: Sql, teamId: Uuid, now: Date): Promise<unknown>;
  /** The server listens, and may say what there is to try. `notify` writes a line to the operator. */
  onListening?(sql: Sql, notify: (line: string) => void): Promise<unknown>;
  /** A request that may have changed something was answered. Never throws. */
  onRequestAnswered?(): void;
  /** A request is refused. The answer waits for the promise, and is the refusal that it rejects with, if it does. */
  onRequestRefused?(exchange: Exchange, refusal: ApiError): Promise<void>;
  /**
   * A report that no request carried was refused, such as one of a shop system. Rejects if it could not be kept.
   * @param wasAccepted set for a report that was accepted, and has no order any more or has never found one. Nothing waits for the
   *   promise, which never rejects then.
   */
  onReportRefused?(teamId: Uuid, refusal: RefusedReport, wasAccepted: boolean): Promise<unknown>;
  /**
   * A report is answered with a known order. Nothing waits for it, and it never throws.
   * @param difference set if the report names other money
   */
  onReportRepeated?(
    exchange: Exchange,
    teamId: Uuid,
    order: { id: Uuid; visitorId: string | null },
    difference: Issue | undefined,
  ): void;
}

/** All listeners, in the order in which they are told. */
export type Listeners = readonly Listener[];

/** Members that are told of something that has happened. */
type Notification = Exclude<
  keyof Listener,
  'newOrders' | 'wantsEnrolled' | 'reportRepeated' | 'requestAnswered' | 'requestRefused'
>;

/** Tells all listeners, and resolves when all of them are done. Rejects with the first fault, after all. */
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
