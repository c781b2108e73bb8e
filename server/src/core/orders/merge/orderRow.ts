import { fieldNames } from '../fields.js';
import type { KeptIdentifier, LoadedOrder } from './sql/loadNeighbours.js';
import type { Identifier, StatedFields } from './statement.js';

/** Marks a provider id that a server before 0.5.0 stored, instead of the object that has it. */
export const ofOldServer = 'legacy';

/** @returns true for an identifier of an order's row: it is stored without the object that has it. */
export const isOfRow = ({ object }: Pick<KeptIdentifier, 'object'>): boolean =>
  object === '' || object === ofOldServer;

/** The identifiers in `order_key` that belong to an order's row. */
export const ownIdentifiers = ({ names }: LoadedOrder): Identifier[] =>
  names.flatMap((name) => {
    const { kind, value } = name;
    return isOfRow(name) && kind !== 'alias' && kind !== 'forgotten' ? [{ kind, value }] : [];
  });

/**
 * Reads the fields that an order's row states, and its buyer unless erased.
 * @param unsaid fields to leave out, because no report of this order stated them: defaults, and touches of an earlier order
 */
export function fieldsOfRow(order: LoadedOrder, unsaid: readonly string[]): StatedFields {
  const fields: StatedFields = {};
  for (const name of fieldNames)
    if (order[name] !== null && !unsaid.includes(name)) Object.assign(fields, { [name]: order[name] });
  if (order.isErased || order.email === null) return fields;
  const buyer = { personId: order.personId, email: order.email };
  return order.hasNoEmail ? { ...fields, unnamed: buyer } : { ...fields, ...buyer };
}
