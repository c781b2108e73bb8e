import type { InTurn } from '../../../database/turns.js';
import { readEmail } from '../../../values/email.js';
import { personUuid } from '../../../values/ids.js';
import { dayMs } from '../../../values/time.js';
import {
  type ComparedOrder,
  findByForms,
  findLookalikes,
  type OrderCursor,
  pageByTime,
} from '../compare/comparedOrders.js';
import type { ComparedMode, IsInFile } from '../compare/compareOrders.js';
import { type ChosenColumns, currencyOf } from '../read/chooseColumns.js';
import type { FileOrder } from '../read/fileOrder.js';
import { formsOf } from '../read/readId.js';

/** The compared file that contains the orders. */
export interface ComparedFile {
  columns: ChosenColumns;
  isInFile: IsInFile;
  /** Set if the user confirmed that the orders are not stored, even if a stored one has the same amount and day. */
  areNew: boolean;
}

/** The reason why an order is not stored. */
export interface NotStored {
  message: string;
  /** Set if the user may confirm the order. */
  isGuess?: boolean;
}

/** The longest time between the file's date of an order and the stored one. */
const nearMs = 2 * dayMs;
const pageRows = 2_000;

/**
 * Finds orders of a list that are probably stored under an order id that is not in the file. Storing them would count them twice.
 * Resolves with the reason for each such order, by its index in the list.
 *
 * Such an order has the id in another form, or the same buyer and amount at about the same time. An order without an email is found
 * by amount and time, unless `areNew` is set.
 */
export async function findDoubles(
  { inTurn, secret }: { inTurn: InTurn; secret: string },
  { teamId, isTest }: ComparedMode,
  { columns, isInFile, areNew }: ComparedFile,
  orders: readonly FileOrder[],
): Promise<Map<number, NotStored>> {
  const doubles = new Map<number, NotStored>();
  const wanted = orders.map((order, index) => ({
    index,
    ids: formsOf(order.orderId),
    email: readEmail(order.email ?? ''),
    amount: order.amount,
    currency: currencyOf(order.currency, columns),
    createdAt: order.createdMs === null ? null : new Date(order.createdMs),
  }));
  for (const here of await inTurn(teamId, (sql) => findByForms(sql, teamId, isTest, wanted, nearMs)))
    keep(here.index, here, { message: 'its id in another form' });
  const byBuyer = wanted.flatMap(({ email, ids: _, ...rest }) =>
    email === null ? [] : [{ ...rest, personId: personUuid(secret, teamId, email) }],
  );
  for (const here of await inTurn(teamId, (sql) => findLookalikes(sql, teamId, isTest, byBuyer, nearMs)))
    keep(here.index, here, { message: 'the same buyer, amount and day' });
  if (!areNew) await findByAmount();
  return doubles;

  async function findByAmount(): Promise<void> {
    const open = wanted.filter(({ index, email, createdAt }) => !email && createdAt && !doubles.has(index));
    if (open.length === 0) return;
    const times = open.map(({ createdAt }) => createdAt!.getTime());
    const [since, until] = [new Date(Math.min(...times) - nearMs), new Date(Math.max(...times) + nearMs)];
    const amounts = [...new Set(open.flatMap(({ amount }) => amount ?? []))];
    for (let after: OrderCursor | null = null; ; ) {
      const range = { isTest, since, until, after, limit: pageRows, amounts };
      const page: ComparedOrder[] = await inTurn(teamId, (sql) => pageByTime(sql, teamId, range));
      for (const here of page)
        for (const { index, amount, currency, createdAt } of open)
          if (
            Number(amount) === Number(here.amount) &&
            currency === here.currency &&
            Math.abs(createdAt!.getTime() - here.createdAt.getTime()) < nearMs
          )
            keep(index, here, { message: 'the same amount and day', isGuess: true });
      if (page.length < pageRows) return;
      after = page.at(-1)!;
    }
  }

  function keep(index: number, here: ComparedOrder, { message, ...rest }: NotStored): void {
    if (doubles.has(index) || isInFile(here)) return;
    const id = here.orderId === null ? 'without an order id' : `as "${here.orderId}"`;
    doubles.set(index, {
      message: `is probably stored ${id} (${here.orderNumber}): ${message}`,
      ...rest,
    });
  }
}
