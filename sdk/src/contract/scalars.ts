/**
 * ISO 8601, UTC, with milliseconds.
 * @format date-time
 * @pattern ^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$
 */
export type Timestamp = string;

/** @format uri */
export type Url = string;

/** @type {integer} */
export type WholeNumber = number;

/**
 * @type {integer}
 * @minimum 0
 */
export type Count = number;

/**
 * Number of an order, for people to quote: `ORD-` and 13 characters, unique in the team. Numbers of releases before 0.4
 * have 10 characters. A later order has a higher number. The number is no secret.
 * @pattern ^ORD-[0-9A-Z]{10,13}$
 */
export type OrderNumber = string;
