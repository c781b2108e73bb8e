import { FileError } from './fileError.js';
import { columnKey, type FileField, fileFields, type ShopExport, shopExports } from './shopExports.js';

/** Columns that the file's user has named, and values that hold for all rows. */
export type NamedColumns = Partial<Record<FileField, string>>;

/** The columns of a file: for each field the places of its cells, the preferred one first. */
export interface ChosenColumns {
  /** Null where the user has named the columns. */
  format: ShopExport | null;
  places: Record<FileField, number[]>;
  /** The currency of all rows, where the user has named it in place of a column. */
  currency: string | null;
  /** Number of columns. */
  count: number;
}

/** Names of columns that an error lists. */
const namesListed = 20;

/**
 * Finds the columns of a file by its head line, and by the names that its user gives.
 * @throws FileError when a named column is missing or stands twice, when that of the amounts does, or when the head line is
 * of no known export
 */
export function chooseColumns(head: readonly string[], named: NamedColumns): ChosenColumns {
  const keys = head.map(columnKey);
  const format =
    shopExports.find(({ marks }) => marks.every((names) => names.some((name) => keys.includes(name)))) ??
    null;
  const currency =
    named.currency !== undefined && isAbsent(head, named.currency) ? readCode(named.currency) : null;
  const places = Object.fromEntries(
    fileFields.map((field) => {
      const name = named[field];
      if (name !== undefined && !(field === 'currency' && currency))
        return [field, [requirePlace(head, name)]];
      const known = format?.columns[field] ?? [];
      const found = known.flatMap((key) => keys.flatMap((each, at) => (each === key ? [at] : [])));
      // Which of two amounts is the order's, nothing tells.
      if (field === 'amount' && found.length > 0) return [field, [requirePlace(head, head[found[0]!]!)]];
      return [field, field === 'orderId' || field === 'paymentId' ? found : found.slice(0, 1)];
    }),
  ) as ChosenColumns['places'];
  const hasAmounts = places.amount.length > 0 || format?.hasNoTotals === true;
  if (places.orderId.length === 0 || !hasAmounts) throw new FileError(unknownHead(head));
  return { format, places, currency, count: head.length };
}

function isAbsent(head: readonly string[], name: string): boolean {
  return !head.some((each) => columnKey(each) === columnKey(name));
}

function readCode(text: string): string | null {
  return /^(?:[a-z]{3}|[A-Z]{3,5})$/.test(text) ? text.toUpperCase() : null;
}

function requirePlace(head: readonly string[], name: string): number {
  const exact = placesOf(head, (each) => each.trim() === name.trim());
  const places = exact.length > 0 ? exact : placesOf(head, (each) => columnKey(each) === columnKey(name));
  if (places.length === 0) throw new FileError(`The file has no column "${name}". ${listColumns(head)}`);
  if (places.length > 1) throw new FileError(`Two columns are called "${name}"; rename one of them.`);
  return places[0]!;
}

function placesOf(head: readonly string[], isIt: (name: string) => boolean): number[] {
  return head.flatMap((name, place) => (isIt(name) ? [place] : []));
}

function unknownHead(head: readonly string[]): string {
  return `The first line must name the columns: orderId and amount, or those of an export of Shopify, WooCommerce or Stripe. ${listColumns(head)} Name the columns of the order id and the amount.`;
}

function listColumns(head: readonly string[]): string {
  const names = head.slice(0, namesListed).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  return `It has: ${names.join(', ')}${head.length > namesListed ? ', …' : ''}.`;
}
