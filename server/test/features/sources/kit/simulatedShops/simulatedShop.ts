import type { SourceKind } from '../../../../../src/features/sources/source.js';
import type { Random } from '../../../../kit/random.js';

/** What a shop says at a turn: an event of its provider, or a report of a page or a backend. */
export type Message = Webhook | Report;

/** An event of the provider, signed and sent by it. */
export interface Webhook {
  by: 'webhook';
  from: SourceKind;
  /** Null with Stripe, whose payload names it. */
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

/** A turn of an order's life, at one moment. */
export interface Moment {
  nowMs: number;
  /** Choices of the turn, always the same for the same step. */
  random: Random;
  /** Set if the message of that number reaches the server from the turn itself, not only when the shop is asked. */
  arrives(message: number): boolean;
}

/** An order that the server has to store. */
export interface HeldOrder {
  /** Numbers by which it is found; empty if the shop gives it none. */
  numbers: string[];
  amount: number;
  refunded: number;
  currency: string;
  /** Email of the buyer; null for one who is erased or unknown. */
  buyer: string | null;
}

/** A shop that lives, and knows what it holds. */
export interface SimulatedShop {
  /** Takes a turn. Returns its messages, or null if this order cannot take this turn now. */
  take(turn: string, order: number, moment: Moment): Message[] | null;
  /** The turn that ends what may not stay open, such as an order that a page has reported and nobody has paid. */
  closing(order: number): string | null;
  /** All that the API of a provider tells when it is asked. */
  answer(provider: SourceKind): { changed: number; payload: Record<string, unknown> }[];
  /** The orders that the server has to store, and no others. */
  holding(): HeldOrder[];
}

/** A kind of shop. */
export interface ShopKind {
  providers: readonly SourceKind[];
  /** Its turns, each with the share that it has of a history. */
  turns: Record<string, number>;
  /** @param habits choices that a shop makes once, such as a plugin that numbers its orders */
  open(habits: Random, startMs: number): SimulatedShop;
}

/** Rounds a sum of money to its smallest unit. */
export const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Time that a page's report may take to the server: its order ends not sooner. */
export const pageMs = 60_000;

/** Providers that send an event again that the server could not take. */
export const repeaters: ReadonlySet<SourceKind> = new Set<SourceKind>(['stripe', 'shopify']);
