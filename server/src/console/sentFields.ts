import type { RefusedRow } from '../refused/refusedReport.js';

/** The fields of a refused report that a person can correct, as texts. */
export interface SentFields {
  email: string;
  amount: string;
  currency: string;
  orderId: string;
}

/** The names of the fields that a person can correct. */
export const correctable = ['email', 'amount', 'currency', 'orderId'] as const satisfies (keyof SentFields)[];

/** What a kept report says in the fields that can be corrected, as it was sent; empty where it says nothing. */
export function readSentFields(entry: RefusedRow): SentFields {
  const { email, amount, currency, orderId } = { ...readable(entry), ...parseBody(entry.body) };
  return {
    email: asText(email),
    amount: asText(amount),
    currency: asText(currency),
    orderId: asText(orderId),
  };
}

/** What could be read of a body that was cut off. */
function readable({ email, amount, currency, orderId }: RefusedRow): Record<string, unknown> {
  return { email, amount, currency, orderId };
}

function parseBody(body: string): Record<string, unknown> {
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
