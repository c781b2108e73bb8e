import type { PlacedOrder } from '@orderbeacon/sdk/contract';
import type { Fragment, Sql } from '../../database/connection/connect.js';

/** One of `orderFields`. */
interface OrderField {
  column: string;
  type: 'text' | 'numeric' | 'json';
  /** Set for a field about the visitor's way to the shop. A page may fill it even if a key has reported the order. */
  isOfVisitor?: true;
  /** Set for a field that may identify the buyer. It is erased with the buyer. */
  isPersonal?: true;
  /** Set for ids that pages, backends or providers assign. Excel would read them as numbers or dates. */
  isId?: true;
  example: unknown;
}

/**
 * The order fields that reports state, by their names in the contract. Inserts, updates, merging, lists, the CSV, the erasure and the
 * example of the API document are derived from this list.
 */
const orderFields = {
  orderId: { column: 'order_id', type: 'text', isId: true, example: 'A-1001' },
  amount: { column: 'amount', type: 'numeric', example: 49.9 },
  currency: { column: 'currency', type: 'text', example: 'USD' },
  source: { column: 'source', type: 'text', example: 'STRIPE' },
  name: { column: 'name', type: 'text', isPersonal: true, example: 'Ann Example' },
  items: {
    column: 'items',
    type: 'json',
    example: [{ sku: 'TEE-M', name: 'T-shirt, size M', quantity: 2, price: 24.95 }],
  },
  visitorId: {
    column: 'visitor_id',
    type: 'text',
    isOfVisitor: true,
    isPersonal: true,
    isId: true,
    example: '9f0c4d5e-6a7b-4c8d-9e0f-1a2b3c4d5e6f',
  },
  firstTouch: {
    column: 'first_touch',
    type: 'json',
    isOfVisitor: true,
    isPersonal: true,
    example: {
      at: '2026-05-01T08:00:00.000Z',
      path: '/',
      referrer: 'mail.example',
      source: 'newsletter',
      medium: null,
      campaign: null,
      term: null,
      content: null,
      clickId: null,
    },
  },
  lastTouch: { column: 'last_touch', type: 'json', isOfVisitor: true, isPersonal: true, example: null },
  extra: { column: 'extra', type: 'json', isPersonal: true, example: null },
} as const satisfies Partial<Record<keyof PlacedOrder, OrderField>>;

/** Name of a field of an order that reports state. */
export type FieldName = keyof typeof orderFields;

/** The fields of an order as they are stored. `numeric` is exact text. */
export type OrderFields = Omit<Pick<PlacedOrder, FieldName>, 'amount'> & { amount: string };

/** `orderFields`, typed so that the flags are optional. */
export const fieldsByName: Record<FieldName, OrderField> = orderFields;

/** Names of all fields, in the order of the list. */
export const fieldNames = Object.keys(orderFields) as FieldName[];

/** Lists the names of the fields that have a flag. */
export const fieldsWith = (flag: 'isOfVisitor' | 'isPersonal' | 'isId'): FieldName[] =>
  fieldNames.filter((name) => fieldsByName[name][flag]);

/** An example of each field, for the API document. */
export const exampleFields = Object.fromEntries(
  fieldNames.map((name) => [name, fieldsByName[name].example]),
) as Pick<PlacedOrder, FieldName>;

const columnOf = (name: FieldName) => fieldsByName[name].column;
// Joined once, because a fragment for each field would cost time in each statement.
const columnsText = fieldNames.map(columnOf).join(', ');
const erasureText = fieldsWith('isPersonal')
  .map((name) => `${columnOf(name)} = null`)
  .join(', ');

/** Lists the columns of all fields, for an insert. */
export const fieldColumns = (sql: Sql): Fragment => sql`${sql.unsafe(columnsText)}`;

/** Sets the personal columns to null, for an update. */
export const eraseFields = (sql: Sql): Fragment => sql`${sql.unsafe(erasureText)}`;

/**
 * Creates the fragment that reads fields of a row `o` of `placed_order` under their own names.
 * @param names default: all
 */
export function fieldReader(names: readonly FieldName[] = fieldNames): (sql: Sql) => Fragment {
  const text = names.map((name) => `o.${columnOf(name)} as "${name}"`).join(', ');
  return (sql) => sql`${sql.unsafe(text)}`;
}

/** Reads all fields of a row `o` of `placed_order` under their own names. */
export const readFields = fieldReader();

/** Sets the columns of all fields, for an update. */
export const setFields = (sql: Sql, values: OrderFields): Fragment =>
  fieldNames
    .map((name) => {
      const value = values[name];
      return fieldsByName[name].type === 'json'
        ? sql`${sql(columnOf(name))} = ${value === null ? null : JSON.stringify(value)}::text::json`
        : sql`${sql(columnOf(name))} = ${value as string | null}`;
    })
    .reduce((all, part) => sql`${all}, ${part}`);

/** A field that every order has, because it has a default. */
export type DefaultedField = 'currency' | 'source';

/** These fields as reports stated them; null if no report stated them. */
export type StatedMoney = { [Name in DefaultedField]: OrderFields[Name] | null };
