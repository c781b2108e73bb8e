import type { DefaultedField, FieldName, OrderFields } from './fields.js';
import type { PreparedReport } from './report.js';
import type { RowStatement } from './storedOrder.js';

/** The values that are stored and answered where nobody said one. They are nobody's words. */
export const defaults = {
  currency: 'USD',
  source: { withoutKey: 'OTHER', withKey: 'MANUAL' },
} as const;

/**
 * Returns currency and source of a new order, with the defaults where its report says none, and what its row tells of the report
 * beside the fields. All orders pass it before they are stored, so it copies nothing else of them.
 */
export function filledRow({
  currency,
  source,
  keyHash,
  signedAsTest,
  press,
  changedAt,
  isDated,
}: Pick<
  PreparedReport,
  DefaultedField | 'keyHash' | 'signedAsTest' | 'press' | 'changedAt' | 'isDated'
>): Pick<OrderFields, DefaultedField> & { said: RowStatement | null } {
  const isFilled = currency !== null && source !== null;
  const isPlain = signedAsTest === undefined && press === undefined && changedAt === null && !isDated;
  if (isFilled && isPlain) return { currency, source, said: null };
  const unsaid: FieldName[] = currency === null ? ['currency'] : [];
  if (source === null) unsaid.push('source');
  const stated: RowStatement = unsaid.length > 0 ? { unsaid } : {};
  if (signedAsTest !== undefined) stated.isSigned = true;
  if (press !== undefined) stated.press = press;
  if (changedAt !== null) stated.changedAt = changedAt;
  if (isDated) stated.isDated = true;
  return {
    currency: currency ?? defaults.currency,
    source: source ?? defaults.source[keyHash === null ? 'withoutKey' : 'withKey'],
    said: stated,
  };
}
