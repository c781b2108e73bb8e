/**
 * Types of the requests and answers that browsers, integrators and the server exchange. They add no byte to the script.
 * They are part of the SDK because old copies of the SDK stay in use longest. The compiler checks the server's schemas of
 * requests against them. The build writes the OpenAPI document's schemas of answers from them: the comment of a field
 * becomes its description, and tags such as `@minimum` become keywords.
 */

export type * from './contract/answer';
export type * from './contract/enrollment';
export type * from './contract/order';
export type * from './contract/product';
export type * from './contract/refund';
export type * from './contract/scalars';
export type * from './contract/webhook';

/** The limits of one request. Lengths are in UTF-16 code units; if the name ends with `Bytes`, in bytes. */
export interface Limits {
  bodyBytes: 65_536;
  email: 254;
  id: 255;
  reportId: 255;
  text: 255;
  items: 500;
  /** JSON of all fields that the contract does not name. */
  extraBytes: 8_192;
  /** Refunds of one order. */
  refunds: 500;
  /** Refunds of one team that wait for an order that is not known yet. */
  waitingRefunds: 10_000;
}
