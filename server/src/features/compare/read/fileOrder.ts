import type { Source } from '@orderbeacon/sdk/contract';
import type { NamedColumns } from './chooseColumns.js';
import type { DateOrder } from './readDate.js';
import type { DecimalSign } from './readMoney.js';
import type { Refunded } from './readRefunded.js';

/** A time in milliseconds since 1970. If the file states only a day, `dayEndMs` is the end of the day. */
export interface FileTime {
  ms: number;
  dayEndMs: number | null;
}

/** One order of a file. A field is null if the file does not state it. */
export interface FileOrder {
  line: number;
  orderId: string;
  /** Id of the payment that the row states. Several payments with one order id are several orders. */
  payment: string | null;
  /**
   * Ids that the payment provider gave to the payment. By them the stored order is found even if a connected source reported it under
   * another order id.
   */
  keys: readonly string[];
  /** An exact plain decimal, before refunds. */
  amount: string | null;
  currency: string | null;
  refunded: Refunded | null;
  email: string | null;
  name: string | null;
  /** Time of the order, in milliseconds since 1970. */
  createdMs: number | null;
  /** End of the day, if the file states only a day. */
  dayEndMs: number | null;
  /** Date of the payment, if the file has one besides the order's. */
  paidAt: FileTime | null;
  /** Source of the order; null if neither the row nor the format states it. */
  source: Source | null;
}

/** A row that cannot be compared, and the reason. */
export interface Unread {
  line: number;
  orderId: string | null;
  message: string;
}

/** One row of a file. */
export type ReadRow =
  | { kind: 'order'; order: FileOrder }
  | { kind: 'unread'; unread: Unread; orderId: string | null }
  /** An order that was not paid. With `isUnknown`, its word may or may not mean paid. */
  | { kind: 'unpaid'; status: string; isUnknown: boolean }
  /** An order of the other mode, live or test. */
  | { kind: 'otherMode' }
  /** A fee, a payout, the sum of all rows, or a line about the file. */
  | { kind: 'noOrder' }
  /** A refund in a separate row: its amount is above 0, or null if it cannot be read. */
  | { kind: 'refund'; amount: string | null; currency: string | null }
  /** A further line of the previous order. */
  | { kind: 'further' };

/** Options for reading a file. */
export interface ReadOptions {
  columns: NamedColumns;
  decimal: DecimalSign | null;
  dateOrder: DateOrder | null;
  /** The zone of dates without a zone. */
  zone: string;
  /** Further words for a paid order, as `columnKey` returns them. */
  alsoPaid: ReadonlySet<string>;
  isTest: boolean;
  nowMs: number;
}

/** Facts that the first rows show, and that hold for all rows. */
export interface OfAllRows {
  dateOrder: DateOrder | null;
  /** Set if a tool has added decimals to the ids. */
  areIdsFloats: boolean;
}
