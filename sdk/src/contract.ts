/**
 * The requests and answers that browsers, integrators and the server exchange. It holds types only, and adds no byte.
 * It lies in the SDK because old copies of the SDK stay in use longest. The server's schemas of requests are checked
 * against it, so that a difference is a compile error. Those of the answers in the OpenAPI document are written from it:
 * the comment of a field is its description there, and tags such as `@minimum` are keywords.
 */

export type * from './contract/answer';
export type * from './contract/enrollment';
export type * from './contract/order';
export type * from './contract/product';
export type * from './contract/refund';
export type * from './contract/scalars';
export type * from './contract/webhook';

/** The limits of one request. Lengths are in UTF-16 code units, unless the name ends with `Bytes`. */
export interface Limits {
  bodyBytes: 65_536;
  email: 254;
  id: 255;
  reportId: 255;
  text: 255;
  items: 500;
  /** JSON of all fields that the contract does not name. */
  extraBytes: 8_192;
  /** Refunds of an order. */
  refunds: 500;
  /** Refunds of a team whose orders are not known yet. */
  waitingRefunds: 10_000;
}
