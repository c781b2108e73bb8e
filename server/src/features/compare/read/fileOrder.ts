import type { Source } from '@orderbeacon/sdk/contract';
import type { NamedColumns } from './chooseColumns.js';
import type { DateOrder } from './readDate.js';
import type { DecimalSign } from './readMoney.js';
import type { Refunded } from './readRefunded.js';

/** A time in milliseconds since 1970, with the end of the day if the file names a whole one. */
export interface FileTime {
  ms: number;
  dayEndMs: number | null;
}

/** One order of a file. Null where the file does not tell. */
export interface FileOrder {
  line: number;
  orderId: string;
  /** The payment of the row: several payments with one order id are several orders. */
  payment: string | null;
  /** The provider's own ids of the payment, by which a source may know the order. */
  keys: readonly string[];
  /** Exact plain decimal, before refunds. */
  amount: string | null;
  currency: string | null;
  refunded: Refunded | null;
  email: string | null;
  name: string | null;
  /** Milliseconds since 1970. */
  createdMs: number | null;
  /** The end of the day, where the date names a whole one. */
  dayEndMs: number | null;
  /** The date of the payment, if the file has one beside the order's. */
  paidAt: FileTime | null;
  /** Null where neither the row nor the format tells. */
  source: Source | null;
}

/** A row that cannot be compared, with the reason. */
export interface Unread {
  line: number;
  orderId: string | null;
  message: string;
}

/** One row of a file. */
export type ReadRow =
  | { kind: 'order'; order: FileOrder }
  | { kind: 'unread'; unread: Unread; orderId: string | null }
  /** The shop says that the order was not paid; or, with `isUnknown`, a word of which nobody knows if it means paid. */
  | { kind: 'unpaid'; status: string; isUnknown: boolean }
  /** An order of the other world, test or live. */
  | { kind: 'otherMode' }
  /** A fee, a payout, the sum of all rows, or a line about the file. */
  | { kind: 'noOrder' }
  /** Money that went back in a row of its own: above 0, null where it cannot be read. */
  | { kind: 'refund'; amount: string | null; currency: string | null }
  /** A further line of the order before. */
  | { kind: 'further' };

/** Instructions for reading a file. */
export interface ReadOptions {
  columns: NamedColumns;
  decimal: DecimalSign | null;
  dateOrder: DateOrder | null;
  /** The zone of dates without one. */
  zone: string;
  /** Further words for a paid order, as `columnKey` makes them. */
  alsoPaid: ReadonlySet<string>;
  isTest: boolean;
  nowMs: number;
}

/** What a file's first rows tell of all. */
export interface OfAllRows {
  dateOrder: DateOrder | null;
  /** True where a tool has written the ids with decimals. */
  areIdsFloats: boolean;
}
