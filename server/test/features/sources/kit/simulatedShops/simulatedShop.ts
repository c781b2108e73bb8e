import type { SourceKind } from '../../../../../src/features/sources/source.js';
import type { Random } from '../../../../kit/random.js';

/** A message of a turn: an event of the provider, or a report of a page or a backend. */
export type Message = Webhook | Report;

/** An event of the provider, signed and sent by it. */
export interface Webhook {
  by: 'webhook';
  from: SourceKind;
  /** Topic of the event; null with Stripe, whose payload has it. */
  topic: string | null;
  payload: Record<string, unknown>;
}

/** A report without its `teamId`, of a confirmation page or of the shop's own backend. */
export interface Report {
  by: 'page' | 'backend';
  report: Record<string, unknown>;
  /** Time of the call. */
  calledMs: number;
  idempotencyKey?: string;
}

/** Time and circumstances of a turn in an order's life. */
export interface Moment {
  nowMs: number;
  /** Random choices of the turn. They are the same for the same step. */
  random: Random;
  /** Set if this message of the turn reaches the server. If not, the server reads the change only by asking the shop. */
  arrives(message: number): boolean;
}

/** An order that the server has to store. */
export interface HeldOrder {
  /** Numbers by which it is found; empty if the shop gives it none. */
  numbers: string[];
  amount: number;
  refunded: number;
  currency: string;
  /** Email of the buyer; null if the buyer is erased or unknown. */
  buyer: string | null;
}

/** A shop that changes, and knows which orders the server has to store. */
export interface SimulatedShop {
  /** Takes a turn. Returns its messages, or null if this order cannot take this turn now. */
  take(turn: string, order: number, moment: Moment): Message[] | null;
  /** Returns an order's last turn, such as the end of an unpaid one that a page reported; null for none. */
  closing(order: number): string | null;
  /** Returns everything that a provider's API answers. */
  answer(provider: SourceKind): { changed: number; payload: Record<string, unknown> }[];
  /** Lists the orders that the server has to store. It may store no others. */
  holding(): HeldOrder[];
}

/** A kind of shop. */
export interface ShopKind {
  providers: readonly SourceKind[];
  /** Its turns, with the share of each in a history. */
  turns: Record<string, number>;
  /** Opens a shop. @param habits choices that a shop makes once, such as a plugin that numbers its orders */
  open(habits: Random, startMs: number): SimulatedShop;
}

/** Rounds a sum of money to its smallest unit. */
export const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Time that a page's report may take to the server. Its order does not end sooner. */
export const pageMs = 60_000;

/** Providers that repeat an event which the server could not accept. */
export const repeaters: ReadonlySet<SourceKind> = new Set<SourceKind>(['stripe', 'shopify']);
