import type { Uuid } from '../../values/ids.js';
import { dayMs, hourMs, isoTime, minuteMs } from '../../values/time.js';
import { askShop, type SendToShop, ShopFault } from './askShop.js';
import { providers } from './providers.js';
import { mapEvents } from './readEvents.js';
import type { ShopAnswer, ShopPage } from './shopApi.js';
import type { ShopAccess, ShopSource } from './source.js';
import type { ReceivedEvent } from './sourceEvent.js';
import type { StoreEvent } from './storeEvent.js';
import { describeWebhook, findWebhook, type WebhookState } from './webhookState.js';

/** The result of asking a shop for what changed. */
export interface SyncResult {
  /** Paid orders that the shop named, those of them that are here, and those that were missing. */
  named: number;
  orders: number;
  missing: number;
  /** Facts that are kept among the refused reports. */
  kept: number;
  since: Date;
  /** All that changed before this time is stored. */
  until: Date;
  /** The reason why it ended early, as one sentence; null where it did not. */
  fault: string | null;
  /** True where the shop took the key in the address only. */
  isKeyInQuery: boolean;
  /** The state of the source's webhook that the shop reports; null where its key cannot see it. */
  webhook: WebhookState | null;
}

/** Dependencies of `syncSource`. */
export interface SyncDeps {
  storeEvent: StoreEvent;
  send: SendToShop;
  pause: (ms: number) => Promise<void>;
  nowMs: () => number;
  signal?: AbortSignal;
}

/** Stripe has its events for 30 days. */
const reachMs = 30 * dayMs;
/** Time that the next sync reads again, because a change can be listed late, and two clocks differ. */
const overlapMs = hourMs;
/** Events of one page that are stored concurrently. */
const concurrent = 8;
/** Pages and time of one sync; the next one goes on. A shop that is slow keeps others waiting no longer. */
export const pagesAtMost = 500;
const timeAtMostMs = 15 * minuteMs;

/**
 * Asks a shop, page by page, for what changed, and stores it as its webhooks are. What is stored already stays as it is.
 * Never rejects for a fault of the shop; rejects with `unavailable` and the database's failures.
 * @param from what changed before was read by an earlier sync; null for all of 30 days
 */
export async function syncSource(
  source: ShopSource & ShopAccess,
  from: Date | null,
  { storeEvent, send, pause, nowMs, signal }: SyncDeps,
): Promise<SyncResult> {
  const { name, api, events: types, saysAll } = providers[source.kind];
  const startMs = nowMs();
  const sinceMs = Math.max(startMs - reachMs, from?.getTime() ?? 0);
  const ids = new Set<Uuid>();
  const keptOrders = new Set<unknown>();
  const missing = new Set<Uuid>();
  /** Orders that turned out to be a part of another one, also before their own event was counted. */
  const merged = new Set<Uuid>();
  let kept = 0;
  let keyQuery = '';
  let webhook: WebhookState | null = null;
  let page: ShopPage | null = { sinceMs, cursor: null };
  const resultOf = (untilMs: number, fault: string | null): SyncResult => {
    const since = new Date(sinceMs);
    // Not an hour before each end: of a shop with more pages in an hour the next sync would read the same ones.
    const until = new Date(Math.min(untilMs, startMs - overlapMs));
    const countLeft = (of: ReadonlySet<Uuid>) => [...of].filter((id) => !merged.has(id)).length;
    const orders = countLeft(ids);
    return {
      named: orders + keptOrders.size,
      orders,
      missing: countLeft(missing),
      kept,
      since,
      until,
      fault,
      isKeyInQuery: keyQuery !== '',
      webhook,
    };
  };
  for (let pages = 0; page !== null; pages++) {
    const isLate = nowMs() - startMs > timeAtMostMs;
    if (isLate || pages === pagesAtMost) {
      const bound = isLate
        ? `needs more than ${timeAtMostMs / minuteMs} minutes`
        : `has more than ${pagesAtMost} pages`;
      return resultOf(page.sinceMs, `${name} ${bound}; the next attempt goes on from here.`);
    }
    const here: ShopPage = page;
    try {
      page = await storePage(here);
    } catch (error) {
      if (error instanceof ShopFault) return resultOf(here.sinceMs, error.message);
      throw error;
    }
  }
  webhook = await findWebhook(source, { ask: (path) => ask(path, 1), send, signal });
  return resultOf(startMs, null);

  /** Asks with the key as a header, and from the first answer on that says so, with the key in the query. */
  async function ask(path: string, triesAtMost?: number): Promise<ShopAnswer> {
    const { allowsPrivate, shopUrl } = source;
    const apiKey = source.apiKey!;
    const url = `${shopUrl ?? api.url}${path}`;
    const askBy = (query: string) => {
      const request = query
        ? { url: `${url}&${query}`, headers: {}, allowsPrivate, signal }
        : { url, headers: api.headers(apiKey), allowsPrivate, signal };
      return askShop(request, name, { send, pause, triesAtMost });
    };
    try {
      return await askBy(keyQuery);
    } catch (error) {
      if (!(error instanceof ShopFault) || error.keyCode === null || keyQuery !== '') throw error;
      const query = api.keyInQuery?.(apiKey, error.keyCode);
      if (!query) throw error;
      if (!url.startsWith('https:'))
        throw new ShopFault(
          `${name} takes a key over https:// only; enter the shop’s address with https://.`,
        );
      const answer = await askBy(String(query));
      keyQuery = String(query);
      return answer;
    }
  }

  async function storePage(page: ShopPage): Promise<ShopPage | null> {
    const askedAt = isoTime(nowMs());
    const answer = await ask(api.path(page, types));
    let read: ReturnType<typeof api.read>;
    try {
      read = api.read(answer, page, startMs);
    } catch {
      throw new ShopFault(`${name} answered in a form that is not that of its API.`);
    }
    for (let at = 0; at < read.events.length; at += concurrent)
      await Promise.all(
        read.events
          .slice(at, at + concurrent)
          // A list of old events is no answer of now.
          .map((event) => storeReceived(saysAll ? { ...event, askedAt } : event)),
      );
    return read.next;
  }

  async function storeReceived(received: ReceivedEvent): Promise<void> {
    const { payload, askedAt } = received;
    const sent = { text: JSON.stringify(payload), value: payload, ...(askedAt && { askedAt }) };
    for (const event of mapEvents(source.kind, received)) {
      if (signal?.aborted) throw new ShopFault('The server stopped.');
      const { outcome, order, mergedIds = [] } = await storeEvent(source, event, sent);
      if (order !== null && event.kind === 'order' && event.wasPaid) ids.add(order.id);
      if (order !== null && outcome === 'new') missing.add(order.id);
      for (const id of mergedIds) merged.add(id);
      if (outcome === 'kept') kept++;
      if (outcome === 'kept' && event.kind === 'order') keptOrders.add(event.report.orderId ?? event.keys[0]);
    }
  }
}

/** Says in sentences what came of asking a shop, and what is wrong with its webhook. */
export function describeAsked(kind: ShopSource['kind'], result: SyncResult): string {
  return [describeSync(result), describeWebhook(kind, result.webhook)].filter(Boolean).join(' ');
}

/** Says in a sentence or two what came of asking a shop. */
export function describeSync({
  named,
  orders,
  missing,
  kept,
  since,
  until,
  fault,
  isKeyInQuery,
}: SyncResult): string {
  const waiting =
    (kept > 0
      ? ` Not stored, and among the refused reports unless somebody has discarded it there: ${kept}.`
      : '') +
    (isKeyInQuery
      ? ' The shop’s host drops the header Authorization, so the key was sent in the address, which the shop’s log may keep.'
      : '');
  if (fault !== null)
    return `${fault}${missing > 0 ? ` Missing orders stored before that: ${missing}.` : ''}${waiting}`;
  const days = Math.round((until.getTime() - since.getTime()) / dayMs);
  const span =
    days === reachMs / dayMs
      ? `of the last ${days} days`
      : `that changed since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (named === 0) return `The shop named no paid order ${span}.${waiting}`;
  const here = `${orders} of the ${named} paid orders that the shop named ${span} are here.`;
  const found =
    missing === 0 ? '' : missing === 1 ? ' 1 of them was missing.' : ` ${missing} of them were missing.`;
  return here + found + waiting;
}
