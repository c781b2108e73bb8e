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
 * For people to quote: `ORD-` and 13 characters, of releases before 0.4 10, unique in the team. It grows with time, and is no secret.
 * @pattern ^ORD-[0-9A-Z]{10,13}$
 */
export type OrderNumber = string;
