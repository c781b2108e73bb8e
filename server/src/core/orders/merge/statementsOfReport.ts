import { plainDecimal } from '../../../values/decimal.js';
import { isMadeUpEmail } from '../../../values/email.js';
import { defaults } from '../defaults.js';
import { fieldNames } from '../fields.js';
import type { AuthorizedReport, OfShop } from '../report.js';
import type { Identifier, StatedFields, Statement } from './statement.js';

/** Fields that a signature vouches for. */
const signedFields: ReadonlySet<string> = new Set(['orderId', 'amount', 'currency', 'personId', 'email']);

/** Turns a report into statements: of a signed page two, because the signature does not vouch for all that the page says. */
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
  // A currency that is signed as the default is a word of the page: no other page changes it, and a backend can say what is right.
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

/** The object of a backend's report. A key of one order can be the number of another one. */
export const backendObject = (orderId: string | null, name: string): string =>
  orderId === null ? `backend-key:${name}` : `backend:${orderId}`;

/** What tells a report without an id of a provider from others of its speaker. */
function nameOf({ orderId, reportId, idempotencyKey, providerIds, id }: AuthorizedReport): string {
  return orderId ?? providerIds[0] ?? idempotencyKey ?? reportId ?? id;
}

/** The names that a report gives its order. */
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

/** The fields that a report says. A made-up email names nobody, save of a page, which anybody can open. */
function fieldsOf(report: AuthorizedReport): StatedFields {
  const { personId, email, amount, keyHash } = report;
  const says: StatedFields = { amount: plainDecimal(amount) };
  for (const name of fieldNames)
    if (name !== 'amount' && report[name] !== null) Object.assign(says, { [name]: report[name] });
  const isUnknownBuyer = keyHash !== null && isMadeUpEmail(email);
  return isUnknownBuyer ? { ...says, unnamed: { personId, email } } : { ...says, personId, email };
}
