import type { Uuid } from '../../../values/ids.js';
import { looksDated, type RowStatement } from '../storedOrder.js';
import { eraseBuyer } from './eraseBuyer.js';
import { toObject } from './joinVersions.js';
import { fieldsOfRow, ofOldServer, ownIdentifiers } from './orderRow.js';
import type { LoadedOrder } from './sql/loadNeighbours.js';
import type { Identifier, StatedFields, StatedObject, Statement } from './statement.js';
import { statementsOfOldRow } from './statementsOfOldRow.js';
import { backendObject } from './statementsOfReport.js';

/** Reconstructs the statements of an order that has no rows in `statement`. Its own row then holds all that was reported. */
export function objectsOfOrder(order: LoadedOrder): StatedObject[] {
  const objects = statementsOfRow(order).map(toObject);
  return order.isErased ? objects.map(eraseBuyer) : objects;
}

function statementsOfRow(order: LoadedOrder): Statement[] {
  const { id, reportedBy, createdAt, host, orderId, reportId } = order;
  const stated: RowStatement = order.said ?? {};
  const isOld =
    stated.key ||
    stated.page ||
    (reportedBy === 'both' && !stated.isSigned) ||
    (reportedBy === 'key' && order.names.some(({ object }) => object === ofOldServer));
  if (isOld || order.refunds.some(({ object }) => object === '')) return statementsOfOldRow(order);
  const says = fieldsOfRow(order, [...(stated.unsaid ?? []), ...Object.keys(stated.earlier ?? {})]);
  const names = ownIdentifiers(order);
  if (orderId !== null) names.push({ kind: 'number', value: orderId });
  if (reportId !== null) names.push({ kind: 'report', value: reportId });
  const name = nameOf(orderId, names, id);
  const base = {
    kind: 'report',
    names,
    arrived: id,
    created: createdAt,
    isDated: stated.isDated ?? looksDated(reportedBy === 'key', { id, createdAt, press: stated.press }),
    version: stated.changedAt ?? null,
    says,
  } as const;
  const person = order.isErased ? id : order.personId;
  if (reportedBy === 'key') {
    const speaker = stated.press === undefined ? 'backend' : 'file';
    const object = stated.press === undefined ? backendObject(orderId, name) : `file:${stated.press}:${name}`;
    return [{ ...base, speaker, object, says: stated.earlier ? { ...says, earlier: stated.earlier } : says }];
  }
  const page: Statement = { ...base, speaker: 'page', object: `page:${name}:${person}`, host };
  if (!stated.isSigned) return [page];
  page.says = { currency: order.currency, ...says };
  const { personId, email, amount, currency } = says;
  const signed = {
    orderId,
    amount,
    currency,
    ...(personId !== undefined && { personId, email }),
  } as StatedFields;
  return [page, { ...base, speaker: 'signed', object: `signed:${name}:${person}`, says: signed, host }];
}

const nameOf = (orderId: string | null, names: readonly Identifier[], id: Uuid): string =>
  orderId ??
  (['provider', 'idempotency', 'report'] as const).flatMap((kind) =>
    names.filter((name) => name.kind === kind).map(({ value }) => value),
  )[0] ??
  id;
