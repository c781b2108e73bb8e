import type { ErrorCode, Issue, Order } from './contract';

/** Why an order was not taken. */
export interface Refusal {
  /** The server's word; `http_error` when something else than an Orderbeacon server answered. */
  code: ErrorCode | 'http_error';
  /** A sentence for a person. */
  message: string;
  /** The invalid fields, where the server named them. */
  issues?: Issue[];
}

/** What became of a report. `pending`: the first try failed; it is kept and tried again by itself. */
export type TrackResult =
  | { status: 'delivered'; order: Order }
  | { status: 'pending' }
  | { status: 'refused'; error: Refusal };
