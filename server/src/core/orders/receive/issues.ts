import type { Issue } from '@orderbeacon/sdk/contract';
import { isPostgresText } from '../../../values/text.js';
import { lineItemSchema, reportFields } from './reportSchema.js';

/** Names of fields of reports, line items, enrollments and refunds. Any other name is the caller's own. */
const fieldNames = new Set([
  ...reportFields,
  ...Object.keys(lineItemSchema.shape),
  'Idempotency-Key',
  'sequenceId',
  'refundId',
  'reason',
]);

/**
 * Replaces the names in the path of a field that the contract does not know. `items.3.price` stays, `items.3.ann@shop.example`
 * becomes `items.3.*`.
 */
export function withoutOwnNames(path: string): string {
  const names = path.split('.').map((name) => (fieldNames.has(name) || /^\d{1,4}$/.test(name) ? name : '*'));
  return path === '' ? 'body' : names.join('.').replace(/\*(\.\*)+/g, '*');
}

/** Finds the first invalid field of a refusal, without list positions, for counting refusals; empty if no field is invalid. */
export function fieldOf(issues: readonly { path: string }[] | null | undefined): string {
  return issues?.[0] ? withoutOwnNames(issues[0].path).replace(/\.\d+/g, '') : '';
}

/** Makes issues storable in PostgreSQL. U+FFFD replaces NUL and lone surrogates in paths. */
export function storableIssues(issues: readonly Issue[] | null | undefined): Issue[] | null {
  const storable = (path: string) =>
    isPostgresText(path) ? path : path.replaceAll('\0', '\ufffd').toWellFormed();
  return issues?.map(({ path, message }) => ({ path: storable(path), message })) ?? null;
}
