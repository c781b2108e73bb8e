import type { DefaultedField, FieldName, OrderFields } from './fields.js';
import type { PreparedReport } from './report.js';
import { looksDated, type RowStatement } from './storedOrder.js';

/** Values of fields that no report stated. They are stored and answered, but no speaker states them. */
export const defaults = {
  currency: 'USD',
  source: { withoutKey: 'OTHER', withKey: 'MANUAL' },
} as const;

/**
 * Fills in the defaults of a new order's currency and source. Also returns `said`, the facts about the report that the row stores
 * beyond its fields. Every order passes here before it is stored, so no other field is copied.
 */
export function filledRow({
  currency,
  source,
  keyHash,
  signedAsTest,
  press,
  changedAt,
  isDated,
  id,
  createdAt,
}: Pick<
  PreparedReport,
  DefaultedField | 'keyHash' | 'signedAsTest' | 'press' | 'changedAt' | 'isDated' | 'id' | 'createdAt'
>): Pick<OrderFields, DefaultedField> & { said: RowStatement | null } {
  const isFilled = currency !== null && source !== null;
  // A kept report that is replayed: its row would otherwise look like one that a backend dated.
  const isReplayed = !isDated && looksDated(keyHash !== null, { id, createdAt, press });
  const isPlain =
    signedAsTest === undefined && press === undefined && changedAt === null && !isDated && !isReplayed;
  if (isFilled && isPlain) return { currency, source, said: null };
  const unsaid: FieldName[] = currency === null ? ['currency'] : [];
  if (source === null) unsaid.push('source');
  const stated: RowStatement = unsaid.length > 0 ? { unsaid } : {};
  if (signedAsTest !== undefined) stated.isSigned = true;
  if (press !== undefined) stated.press = press;
  if (changedAt !== null) stated.changedAt = changedAt;
  if (isDated) stated.isDated = true;
  if (isReplayed) stated.isDated = false;
  return {
    currency: currency ?? defaults.currency,
    source: source ?? defaults.source[keyHash === null ? 'withoutKey' : 'withKey'],
    said: stated,
  };
}

/** Returns `said` for the row of an order with several statements. Set if none of them states a currency. */
export const statedBySeveral = ({ currency }: { currency: string | null }): RowStatement | null =>
  currency === null ? { unsaid: ['currency'] } : null;
