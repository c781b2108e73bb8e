import type { ConsoleContext } from '../../../console/context.js';
import {
  askReading,
  findReadings,
  findTypedReadings,
  readAmount,
  writeAmount,
} from '../../../console/parts/amounts.js';
import { renderPage } from '../../../console/parts/layout.js';
import { defaults } from '../../../core/orders/defaults.js';
import { isStoredCurrency, readCurrencyCode } from '../../../values/currency.js';
import { isInAnotherCurrency } from '../../../values/currencySigns.js';
import { type RefusedChanges, readDecimalText } from '../correct.js';
import { correctable, fillFields, isNumberSent, type SentFields, type TriedAgain } from './correction.js';
import { loadReport, requireReport } from './loadRefused.js';
import { Report } from './report.js';
import { type StoreRefused, sayStored } from './storeRefused.js';

const characters = 512;

/** `POST …/refused/correct`: stores one report with its corrected fields. */
export async function postCorrection(c: ConsoleContext, storeRefused: StoreRefused): Promise<Response> {
  const { form, session, viewer } = c.var;
  const entry = await requireReport(c, form.id ?? '');
  const sent = fillFields(entry, viewer);
  const values = { ...sent };
  for (const name of correctable) values[name] = (form[name] ?? sent[name]).slice(0, characters).trim();
  const named = readCurrencyCode(values.currency);
  const currency = isStoredCurrency(named) ? named : defaults.currency;
  if (isInAnotherCurrency(values.amount, currency))
    return refuse({
      values,
      message: 'the amount is written in another currency.',
      issues: [{ path: 'currency', message: `must be that of “${values.amount}”, not ${currency}` }],
    });
  // The amount that a page has sent may be written in any language, not only the viewer's.
  const isTyped = values.amount !== sent.amount || entry.amount !== null;
  const readings = isTyped
    ? findTypedReadings(values.amount, currency, viewer.locale)
    : findReadings(values.amount, currency);
  if (readings && !(isNumberSent(entry) && values.amount === sent.amount))
    return refuse({
      values,
      message: 'the amount can be read in two ways.',
      issues: [{ path: 'amount', message: askReading(values.amount, readings, currency, viewer) }],
    });
  const changes = findChanges(sent, values, { locale: viewer.locale, isAmountRead: isNumberSent(entry) });
  if (changes === null) {
    const how = `write it like ${writeAmount('1234.50', 'USD', viewer.locale)}, with at most 15 significant digits`;
    return refuse({
      values,
      message: 'the amount is not a number that can be stored exactly.',
      issues: [{ path: 'amount', message: how }],
    });
  }
  // A report whose content is valid is stored unchanged: no invalid field has to be removed.
  const isAsSent = Object.keys(changes).length === 0 && entry.reason !== 'invalid_request';
  const stored = await storeRefused(session.teamId, { ids: [entry.id] }, isAsSent ? undefined : changes);
  const outcome = stored.last?.outcome;
  if (outcome?.kind !== 'refused') return sayStored(c, stored);
  const { issues } = outcome;
  // The list of fields repeats what the message says.
  return refuse({ values, message: issues?.length ? 'a field is not valid.' : outcome.message, issues });

  async function refuse(tried: TriedAgain) {
    c.status(400);
    return renderPage(c, <Report {...(await loadReport(c, entry))} tried={tried} />, {
      title: 'A refused report',
      here: 'Refused',
    });
  }
}

/**
 * Finds the changed fields; null if the new amount is not a number, or would be rounded.
 * @param options.isAmountRead not set if the sent amount is not a number. The amount is then read in the viewer's
 * language.
 */
function findChanges(
  sent: SentFields,
  values: SentFields,
  { locale, isAmountRead }: { locale: string; isAmountRead: boolean },
): RefusedChanges | null {
  const isChanged = (name: keyof SentFields) => values[name] !== sent[name].slice(0, characters).trim();
  const changes: RefusedChanges = {};
  for (const name of correctable) if (name !== 'amount' && isChanged(name)) changes[name] = values[name];
  if (isChanged('amount') || !isAmountRead) {
    const amount = readAmount(values.amount, locale);
    // As it was sent, it may be written in another language than the viewer's.
    const asSent = isChanged('amount') ? null : readDecimalText(values);
    if (amount !== null) changes.amount = amount;
    else if (asSent !== null) changes.amount = Number(asSent);
    else if (isChanged('amount')) return null;
  }
  return changes;
}
