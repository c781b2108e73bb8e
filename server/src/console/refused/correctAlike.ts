import { isNegative, type MakeChanges } from '../../refused/correct.js';
import type { RefusedRow } from '../../refused/refusedReport.js';
import { readAmount } from './amounts.js';
import { readSentFields, type SentFields } from './correction.js';

/** Languages that between them write amounts in every way that has a group of three digits. */
const languages = ['en', 'de', 'fr', 'de-CH'] as const;

/** True when the correction of a report says how to correct others of its kind: its currency, or how its amount is read. */
export function isAlikeCorrected(entry: RefusedRow): boolean {
  if (entry.reason !== 'invalid_request') return false;
  if (entry.field === 'currency') return true;
  return entry.field === 'amount' && readIn(languages, readSentFields(entry).amount).length > 0;
}

/**
 * Makes the correction of other reports from that of one. A currency is for reports with the same text as currency, or with
 * none. An amount is read in the languages that read the corrected one as it was typed; where these differ it stays as it
 * is: of `49.90 EUR` nobody can know whether `1.234 EUR` is more. Null where no language reads it so.
 * @param values the typed fields, with the amount as a number
 */
export function correctAlike(
  entry: RefusedRow,
  { currency, amount }: Pick<SentFields, 'currency'> & { amount: number | null },
): MakeChanges | null {
  const sent = readSentFields(entry);
  if (entry.field === 'currency') {
    return (other) => (String(other.currency ?? '') === sent.currency ? { currency } : {});
  }
  const read = languages.filter((language) => readIn([language], sent.amount)[0] === amount);
  if (amount === null || read.length === 0) return null;
  return (other) => {
    const found = typeof other.amount === 'string' ? new Set(readIn(read, other.amount)) : new Set<number>();
    const [only] = found;
    return found.size === 1 ? { amount: only! } : {};
  };
}

/** Reads an amount without the signs of a currency around it, in each language that can read it; a negative one in none. */
function readIn(read: readonly string[], sent: string): number[] {
  if (isNegative(sent)) return [];
  const bare = sent.replace(/^[^\d-]+|[^\d-]+$/g, '');
  return read.flatMap((language) => readAmount(bare, language) ?? []);
}
