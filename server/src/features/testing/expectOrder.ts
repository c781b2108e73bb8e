import { setTimeout as delay } from 'node:timers/promises';
import type { PlacedOrder } from '@orderbeacon/sdk/contract';
import type { TestedPage, TestOrderbeacon } from '../../../testing/index.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { late, withTimeout } from '../../values/withTimeout.js';

const everyMs = 100;
const refusedShown = 100;
/** Time in which a page must answer if it has the script. */
const pageMs = 1_000;

/** Properties of a refused report that explain why an order is missing. */
interface RefusedSummary {
  id: string;
  /** Time at which the report was last sent. */
  lastAt: string;
  orderId: string | null;
  host: string | null;
  reason: string;
  issues: readonly { path: string; message: string }[];
}

/** Lists the newest refused reports of a team. */
export type ListRefused = (
  sql: Sql,
  teamId: Uuid,
  options: { limit: number },
) => Promise<readonly RefusedSummary[]>;

/** Creates the function that reads an order by HTTP, as a backend does. */
export function createFindOrder(url: string, apiKey: string): TestOrderbeacon['findOrder'] {
  return async function findOrder(orderId) {
    const response = await fetch(`${url}/svc-api/v1/orders/${encodeURIComponent(orderId)}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const answer = (await response.json()) as { data: PlacedOrder } | { error: { message: string } };
    if ('data' in answer) return answer.data;
    if (response.status === 404) return null;
    throw new Error(`The server refused to read the order: ${answer.error.message}`);
  };
}

/** Creates the function that waits until an order is stored, and otherwise rejects with the reason why it is missing. */
export function createExpectOrder(
  sql: Sql,
  {
    url,
    uuid,
    findOrder,
    listRefused,
  }: { url: string; uuid: Uuid; findOrder: TestOrderbeacon['findOrder']; listRefused: ListRefused },
): TestOrderbeacon['expectOrder'] {
  /**
   * Reports that had arrived when the previous call ended. They belong to another test. It is not a time, because times come from
   * several clocks.
   */
  let seen: SeenReports = { newestOrder: null, refused: new Set() };
  const readRefused = () => listRefused(sql, uuid, { limit: refusedShown });
  return async function expectOrder(page, { orderId, timeoutMs = 10_000 }) {
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      const order = await findOrder(orderId);
      if (order) {
        seen = await look(sql, uuid, readRefused);
        return order;
      }
      if (performance.now() > untilMs) break;
      await delay(everyMs);
    }
    const reason =
      describeRefusal(await readRefused(), { orderId, seen }) ??
      `${await describePage(page, url)}${await describeOtherOrder(sql, uuid, seen)}`;
    seen = await look(sql, uuid, readRefused);
    throw new Error(`No order "${orderId}" was stored within ${timeoutMs / 1000} s. ${reason}`);
  };
}

/** Orders and refused reports that had arrived at some moment. */
interface SeenReports {
  newestOrder: Uuid | null;
  /** A mark of each listed refused report; see `markOf`. */
  refused: ReadonlySet<string>;
}

/** Records which orders and refused reports have arrived so far. */
async function look(
  sql: Sql,
  teamId: Uuid,
  readRefused: () => Promise<readonly RefusedSummary[]>,
): Promise<SeenReports> {
  const [newest] = await sql<{ id: Uuid }[]>`/* findNewestOrder */
    select id from placed_order where team_id = ${teamId} order by id desc limit 1`;
  return { newestOrder: newest?.id ?? null, refused: new Set((await readRefused()).map(markOf)) };
}

/** Makes the mark of a refused report. If it is sent again, its mark changes. */
const markOf = ({ id, lastAt }: RefusedSummary) => `${id} ${lastAt}`;

/**
 * Describes why the report of an order was refused. Without such a report, describes the newest refused report of another order
 * that was not seen before. Null if no such report exists.
 */
function describeRefusal(
  refused: readonly RefusedSummary[],
  { orderId, seen }: { orderId: string; seen: SeenReports },
): string | null {
  const report =
    refused.find((one) => one.orderId === orderId) ?? refused.find((one) => !seen.refused.has(markOf(one)));
  if (!report) return null;
  const which = report.orderId === orderId ? 'Its report' : `A report of the order "${report.orderId ?? ''}"`;
  const fields = report.issues.map(({ path, message }) => `${path || 'the body'} ${message}`).join('; ');
  const from = report.host === null ? '' : ` from ${report.host}`;
  return `${which}${from} was refused: ${report.reason}${fields && ` (${fields})`}.`;
}

/**
 * Describes the newest order that was not seen before, because the page may have given it another id. Empty without
 * one.
 */
async function describeOtherOrder(sql: Sql, teamId: Uuid, { newestOrder }: SeenReports): Promise<string> {
  const [order] = await sql<{ orderId: string | null }[]>`/* describeOtherOrder */
    select order_id as "orderId" from placed_order
    where team_id = ${teamId} ${newestOrder === null ? sql`` : sql`and id > ${newestOrder}`}
    order by id desc limit 1`;
  if (!order) return '';
  return ` Another order was stored meanwhile, ${order.orderId === null ? 'without an orderId' : `"${order.orderId}"`}.`;
}

/** Describes what a page lacks to report an order. */
async function describePage(page: TestedPage | null, url: string): Promise<string> {
  if (page === null) return 'The server refused no report.';
  const script = `[...document.scripts].some(({ src }) => src.startsWith(${JSON.stringify(url)} + '/sdk/'))`;
  // A page that is busy forever, or shows a dialog, never answers.
  const hasScript = await withTimeout(pageMs, page.evaluate(script)).catch(() => late);
  const where = `The page ${page.url()}`;
  if (hasScript === late) return `${where} could not be looked at, and the server refused no report.`;
  return hasScript
    ? `${where} has the script, but no report of this order came. Its console says why, if the script has data-debug. Or does it call track('order', …) with another orderId?`
    : `${where} has no script of ${url}/sdk/track.js: put scriptHtml into its head. If it uses the npm package, give createTracker() this server's url and teamId.`;
}
