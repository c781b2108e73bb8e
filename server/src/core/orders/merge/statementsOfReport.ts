import { plainDecimal } from '../../../values/decimal.js';
import { isMadeUpEmail } from '../../../values/email.js';
import { defaults } from '../defaults.js';
import { fieldNames } from '../fields.js';
import type { AuthorizedReport, OfShop } from '../report.js';
import type { Identifier, StatedFields, Statement } from './statement.js';

/** Fields that a page's signature covers. */
const signedFields: ReadonlySet<string> = new Set(['orderId', 'amount', 'currency', 'personId', 'email']);

/** Turns a report into its statements. A signed page makes two, because the signature does not cover all of its fields. */
export function statementsOfReport(report: AuthorizedReport): Statement[] {
  const { keyHash, signedAsTest, press, ofShop, changedAt, createdAt, isDated, id, host, personId } = report;
  const says = fieldsOf(report);
  const stated = {
    names: namesOf(report),
    arrived: id,
    created: createdAt,
    isDated,
    version: changedAt,
    says,
    kind: 'report',
  } as const;
  if (ofShop) return [ofShopSystem(stated, ofShop)];
  const name = nameOf(report);
  if (press !== undefined) return [{ ...stated, speaker: 'file', object: `file:${press}:${name}` }];
  if (keyHash !== null)
    return [{ ...stated, speaker: 'backend', object: backendObject(report.orderId, name) }];
  const ofPage: Statement = { ...stated, speaker: 'page', object: `page:${name}:${personId}`, host };
  if (signedAsTest === undefined) return [ofPage];
  // If the default currency is signed, the page states it, too: no other page changes it, but a backend can correct it.
  ofPage.says = { currency: defaults.currency, ...says };
  const signed = Object.fromEntries(Object.entries(says).filter(([field]) => signedFields.has(field)));
  return [ofPage, { ...stated, speaker: 'signed', object: `signed:${name}:${personId}`, says: signed, host }];
}

function ofShopSystem(
  stated: Omit<Statement, 'speaker' | 'object'>,
  { parentId, ...ofShop }: OfShop,
): Statement {
  const parent: Identifier[] = parentId === undefined ? [] : [{ kind: 'parent', value: parentId }];
  return { ...stated, speaker: 'shop', ...ofShop, names: [...stated.names, ...parent] };
}

/**
 * Makes the `object` of a backend's report. It has another prefix with an `orderId` than without one, because one order's
 * `Idempotency-Key` can equal another order's number.
 */
export const backendObject = (orderId: string | null, name: string): string =>
  orderId === null ? `backend-key:${name}` : `backend:${orderId}`;

/** Returns the first identifier of a report, or else its id. The text is unique among the reports of one speaker. */
function nameOf({ orderId, reportId, idempotencyKey, providerIds, id }: AuthorizedReport): string {
  return orderId ?? providerIds[0] ?? idempotencyKey ?? reportId ?? id;
}

/** Lists the identifiers in a report. */
export function namesOf({
  orderId,
  reportId,
  idempotencyKey,
  providerIds,
  shopOrderId,
}: Pick<
  AuthorizedReport,
  'orderId' | 'reportId' | 'idempotencyKey' | 'providerIds' | 'shopOrderId'
>): Identifier[] {
  const names: Identifier[] = providerIds.map((value) => ({ kind: 'provider', value }));
  if (orderId !== null) names.push({ kind: 'number', value: orderId });
  if (shopOrderId !== null) names.push({ kind: 'shopOrder', value: shopOrderId });
  if (reportId !== null) names.push({ kind: 'report', value: reportId });
  if (idempotencyKey !== null) names.push({ kind: 'idempotency', value: idempotencyKey });
  return names;
}

/**
 * Lists the fields that a report states. With an API key, a made-up email stands for an unknown buyer. A page's does not, because
 * anybody can open a page.
 */
function fieldsOf(report: AuthorizedReport): StatedFields {
  const { personId, email, amount, keyHash } = report;
  const says: StatedFields = { amount: plainDecimal(amount) };
  for (const name of fieldNames)
    if (name !== 'amount' && report[name] !== null) Object.assign(says, { [name]: report[name] });
  const isUnknownBuyer = keyHash !== null && isMadeUpEmail(email);
  return isUnknownBuyer ? { ...says, unnamed: { personId, email } } : { ...says, personId, email };
}
