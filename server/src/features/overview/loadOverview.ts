import type { ConsoleDeps } from '../../console/consoleDeps.js';
import type { ConsoleContext } from '../../console/context.js';
import { loadSteps } from '../../console/loadSteps.js';
import { makeBuckets } from '../../console/parts/buckets.js';
import { counted } from '../../console/parts/format.js';
import type { Need } from '../../console/section.js';
import { pageOrders } from '../../console/sql/shownOrders.js';
import { defaults } from '../../core/orders/defaults.js';
import { sumRefunds } from '../../core/refunds/sql/listRefunds.js';
import { arrangeFigures } from './overviewFigures.js';
import { readOverviewQuery } from './overviewQuery.js';
import { countIncomplete, readOrderFigures } from './sql/readFigures.js';
import { readOrigins } from './sql/readOrigins.js';

/** Rows of origins at most, because anyone can make up any number of names. */
const originsAtMost = 1_000;
/** Orders in the list of the newest ones. */
const newestAtMost = 6;
/** Orders that are searched for the newest ones of the page's mode. */
const newestLookAtMost = 2_000;

/** The latest time that can be stored. */
const endOfTime = new Date('9999-12-31T23:59:59.999Z');

/** Data of the overview. */
export type OverviewData = Awaited<ReturnType<typeof loadOverview>>;

/** Loads the data of the overview. */
export async function loadOverview(c: ConsoleContext, { parts, publicUrl }: ConsoleDeps) {
  const { isTest, query: ask, viewer, readNavigation } = c.var;
  const { now, zone } = viewer;
  const query = readOverviewQuery(c.req.query(), { now, zone });
  const { range, currency, touch, by, isWhole } = query;
  const buckets = makeBuckets(range, { now, zone });
  const refundsOf = ({ from, to }: { from: Date; to: Date }) =>
    ask(sumRefunds, { since: from, until: to, isTest });
  const [rows, rowsBefore, refunds, refundsBefore, origins, newest, incomplete, others, notices] =
    await Promise.all([
      ask(readOrderFigures, { buckets, isTest, currency: currency || null }),
      ask(readOrderFigures, { buckets: [range.before], isTest, currency: currency || null }),
      // A shop system's clock may be far ahead. In a range that ends now, its later refunds count, too.
      refundsOf(range.isOpen ? { ...range.span, to: endOfTime } : range.span),
      refundsOf(range.before),
      ask(readOrigins, { span: range.span, isTest, touch, by, ...(isWhole && { rows: originsAtMost }) }),
      ask(pageOrders, { isTest }, { before: null, lookAtMost: newestLookAtMost, limit: newestAtMost }),
      ask(countIncomplete, isTest),
      parts.readNeeds(c),
      parts.draw('aboveFigures', c),
      readNavigation(),
    ]);
  // If the mode has orders, all of its steps are done.
  const done = newest.length === 0 ? await loadSteps(c) : null;
  return {
    query,
    publicUrl: publicUrl(),
    figures: arrangeFigures(buckets, rows, currency),
    before: arrangeFigures([range.before], rowsBefore),
    refunds,
    refundsBefore,
    origins,
    newest,
    needs: [
      ...others,
      needOfIds(incomplete.withoutId, c),
      needOfCurrency(incomplete.withoutCurrency, c),
    ].filter((need) => need !== null),
    notices,
    done,
    /** Sentences on how a shop system confirms orders. */
    confirmation: done ? await parts.draw('confirmation', c) : [],
  };
}

/** Describes orders without a shop's id, which may count twice; null without any. */
function needOfIds(orders: number, { var: { link, viewer } }: ConsoleContext): Need | null {
  if (orders === 0) return null;
  return {
    tone: 'warn',
    title: `${counted(orders, 'order', viewer)} ${orders === 1 ? 'has' : 'have'} no order id.`,
    about: 'A reloaded page counts as another order, and a report of your backend too.',
    href: link('/orders', { id: 'none' }),
    button: 'See them',
  };
}

/** Describes orders without a currency, for a shop whose currency is not the default; null without any. */
function needOfCurrency(orders: number, { var: { link, viewer, session } }: ConsoleContext): Need | null {
  if (orders === 0 || session.currency === defaults.currency) return null;
  return {
    tone: 'warn',
    title: `${counted(orders, 'order', viewer)} without a currency.`,
    about: `Each counts as ${defaults.currency}. Name the currency in every report.`,
    href: link('/orders', { id: 'no-currency' }),
    button: 'See them',
  };
}
