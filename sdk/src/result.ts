import type { ErrorCode, Issue, Order } from './contract';

/** The reason why an order was refused. */
export interface Refusal {
  /**
   * The server's error code. It is `invalid_request`, too, if the call cannot be written as JSON, and `no_browser` during
   * server-side rendering.
   */
  code: ErrorCode | 'no_browser';
  /** A sentence for a person. */
  message: string;
  /** The next step, if the server sent one. */
  hint?: string;
  /** URL that leads to the cause and fix of the code, if a server answered. */
  docs?: string;
  /** The invalid fields, if the server named them. */
  issues?: Issue[];
}

/** The server's final answer to a report. */
export type FinalResult = { status: 'delivered'; order: Order } | { status: 'refused'; error: Refusal };

/** The result of one try; undefined if no answer has come yet. */
export type FirstResult = FinalResult | undefined;

/**
 * The result of a report after its first try, at most 6 s after the call. `pending`: no answer has come yet. The report is
 * kept and sent again automatically, on this page and on later ones, for 72 hours. `final` resolves if this page gets the
 * answer. It never does if another page gets it.
 */
export type TrackResult = FinalResult | { status: 'pending'; final: Promise<FinalResult> };
