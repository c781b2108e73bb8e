import type { ErrorCode, Issue, Order } from './contract';

/** Why an order was not taken. */
export interface Refusal {
  /**
   * The server's word. `invalid_request` also for a call that cannot be written as JSON, `no_browser` during
   * server-side rendering.
   */
  code: ErrorCode | 'no_browser';
  /** A sentence for a person. */
  message: string;
  /** The invalid fields, where the server named them. */
  issues?: Issue[];
}

/** What the server said of a report in the end. */
export type FinalResult = { status: 'delivered'; order: Order } | { status: 'refused'; error: Refusal };

/** What one try came to. `pending`: no answer yet. */
export type FirstResult = FinalResult | { status: 'pending' };

/**
 * What became of a report after its first try, at most 6 s after the call. `pending`: no answer yet; the report is
 * kept and tried again by itself, on this page and on later ones, for 72 hours. `final` then resolves when this
 * page gets the answer; it stays open when another page does.
 */
export type TrackResult = FinalResult | { status: 'pending'; final: Promise<FinalResult> };
