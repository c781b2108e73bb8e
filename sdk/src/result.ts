import type { ErrorCode, Issue, Order } from './contract';

/** Why an order was not taken. */
export interface Refusal {
  /**
   * The server's word. `invalid_request` also when it was refused before it was sent, `http_error` when something
   * else than an Orderbeacon server answered, `no_browser` during server-side rendering.
   */
  code: ErrorCode | 'http_error' | 'no_browser';
  /** A sentence for a person. */
  message: string;
  /** The invalid fields, where the server named them. */
  issues?: Issue[];
}

/**
 * What became of a report. `pending`: the first try failed within 6 s; the report is kept and tried again by
 * itself, on this page and on later ones, for 72 hours.
 */
export type TrackResult =
  | { status: 'delivered'; order: Order }
  | { status: 'pending' }
  | { status: 'refused'; error: Refusal };
