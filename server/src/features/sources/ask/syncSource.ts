import type { Uuid } from '../../../values/ids.js';
import { dayMs, hourMs, isoTime, minuteMs } from '../../../values/time.js';
import { providers } from '../providers.js';
import { readObject, readText } from '../receive/payload.js';
import { mapEvents } from '../receive/readEvents.js';
import type { ReceivedEvent } from '../receive/sourceEvent.js';
import type { StoreEvent } from '../receive/storeEvent.js';
import { testKeyHint } from '../setup/parseAccess.js';
import type { ShopAccess, ShopSource } from '../source.js';
import { askShop, PageTooLarge, type SendToShop, ShopFault } from './askShop.js';
import type { ShopAnswer, ShopPage, ShopPosition } from './shopApi.js';
import { describeWebhook, findWebhook, type WebhookState } from './webhookState.js';

/** The result of a sync. */
export interface SyncResult {
  /**
   * Number of paid orders that the shop named. `orders` are those of them that are stored, and `missing` are those that were not
   * stored before this sync.
   */
  named: number;
  orders: number;
  missing: number;
  /** Events that were not stored as orders, but kept among the refused reports. */
  kept: number;
  /**
   * Ids of orders, or of Stripe's events, that are too large to be read. The beginning of each is kept among the
   * refused reports.
   */
  passedOver: string[];
  since: Date;
  /** Time up to which the shop's changes are stored. */
  until: Date;
  /** One sentence on why the sync ended early; null if it did not. */
  fault: string | null;
  /** Set if the shop accepted the key only in the address. */
  isKeyInQuery: boolean;
  /** Set if the shop named orders but no buyer: its key may not read buyers. */
  isBuyerWithheld: boolean;
  /** The state of the source's webhook, as the shop reports it; null if the key cannot see it. */
  webhook: WebhookState | null;
}

/** Dependencies of `syncSource`. */
export interface SyncDeps {
  storeEvent: StoreEvent;
  /** Records that an order was missing, so that it was found by the sync and not by a webhook. */
  recordFound: (teamId: Uuid, id: Uuid) => Promise<void>;
  send: SendToShop;
  pause: (ms: number) => Promise<void>;
  nowMs: () => number;
  signal?: AbortSignal;
}

/** A sync reads at most 30 days back, because Stripe keeps its events for 30 days. */
const reachMs = 30 * dayMs;
/** Time that the next sync reads again: a shop may list a change late, and its clock may differ. */
const overlapMs = hourMs;
/** Events of one page that are stored concurrently. */
const concurrent = 8;
/** Most pages of one sync; `timeAtMostMs` limits its time. The next sync continues, so that a slow shop does not delay others longer. */
export const pagesAtMost = 500;
const timeAtMostMs = 15 * minuteMs;

/**
 * Asks a shop page by page for what changed, and stores it as if its webhooks had sent it. An event that is
 * stored already changes nothing. Never rejects for a fault of the shop. Rejects with `unavailable`, and with the database's failures.
 * @param from the time up to which an earlier sync has read; null to read 30 days
 */
export async function syncSource(
  source: ShopSource & ShopAccess,
  from: Date | null,
  { storeEvent, recordFound, send, pause, nowMs, signal }: SyncDeps,
): Promise<SyncResult> {
  const { name, api, events: types, saysAll } = providers[source.kind];
  const startMs = nowMs();
  const sinceMs = Math.max(startMs - reachMs, from?.getTime() ?? 0);
  const ids = new Set<Uuid>();
  const keptOrders = new Set<unknown>();
  const missing = new Set<Uuid>();
  /** Orders that were merged into another one during this sync. One may be in here before its own event is counted. */
  const merged = new Set<Uuid>();
  let kept = 0;
  const passedOver = new Set<string>();
  let keyQuery = '';
  let token: { text: string; endsMs: number } | null = null;
  let hasBuyer = api.namesBuyer === undefined;
  let webhook: WebhookState | null = null;
  let page: ShopPage | null = { sinceMs, cursor: null, size: api.pageSize };
  const resultOf = (untilMs: number, fault: string | null): SyncResult => {
    const since = new Date(sinceMs);
    // The overlap is subtracted from the start of this sync, not from `untilMs`. Otherwise, if an hour has more pages
    // than a sync reads, the next sync would read the same ones.
    const until = new Date(Math.min(untilMs, startMs - overlapMs));
    const countLeft = (of: ReadonlySet<Uuid>) => [...of].filter((id) => !merged.has(id)).length;
    const orders = countLeft(ids);
    return {
      named: orders + keptOrders.size,
      orders,
      missing: countLeft(missing),
      kept,
      passedOver: [...passedOver],
      since,
      until,
      fault,
      isKeyInQuery: keyQuery !== '',
      isBuyerWithheld: !hasBuyer && ids.size + keptOrders.size > 0,
      webhook,
    };
  };
  if (!source.isTest && api.isTestKey?.(source.apiKey!))
    return resultOf(sinceMs, `${name} was not asked: ${testKeyHint}.`);
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
  webhook = await findWebhook(source, { ask: (path) => ask(() => path, 1), send, signal });
  return resultOf(startMs, null);

  /**
   * Returns the token for requests: the API key itself, or a token that the shop gives for it. The shop's token is reused until it
   * expires.
   */
  async function getToken(): Promise<string> {
    const apiKey = source.apiKey!;
    const grant = api.grant?.(apiKey);
    if (!grant) return apiKey;
    if (token !== null && nowMs() < token.endsMs) return token.text;
    const { allowsPrivate, shopUrl } = source;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = { url: `${shopUrl}${grant.path}`, headers, body: grant.body, allowsPrivate, signal };
    const { value } = await askShop(() => request, name, { send, pause });
    const { access_token, expires_in } = readObject(value);
    const text = readText(access_token);
    if (text === null || !/^[\x21-\x7e]+$/.test(text))
      throw new ShopFault(`${name} answered with no token, in a form that is not that of its API.`);
    // A token without `expires_in` is not reused.
    token = { text, endsMs: nowMs() + 1_000 * (Number(expires_in) || 0) - minuteMs };
    return text;
  }

  /**
   * Asks the shop with the API key in the header. If the shop refuses that, but not the key itself, asks again with the key in the
   * query of the address. If the shop accepts it there, all later requests of this sync use the query.
   */
  async function ask(pathOf: (time: number) => string, triesAtMost?: number): Promise<ShopAnswer> {
    const { allowsPrivate, shopUrl } = source;
    const apiKey = source.apiKey!;
    const base = shopUrl ?? api.url!;
    const headers = api.headers(await getToken());
    const askBy = (query: string) => {
      const requestOf = (time: number) => {
        const url = base + pathOf(time);
        return query
          ? { url: `${url}&${query}`, headers: {}, allowsPrivate, signal }
          : { url, headers, allowsPrivate, signal };
      };
      return askShop(requestOf, name, { send, pause, triesAtMost });
    };
    try {
      return await askBy(keyQuery);
    } catch (error) {
      if (!(error instanceof ShopFault) || error.keyCode === null || keyQuery !== '') throw error;
      const query = api.keyInQuery?.(apiKey, error.keyCode);
      if (!query) throw error;
      if (!base.startsWith('https:'))
        throw new ShopFault(
          `${name} takes a key over https:// only; enter the shop’s address with https://.`,
        );
      const answer = await askBy(String(query));
      keyQuery = String(query);
      return answer;
    }
  }

  async function storePage(wanted: ShopPage): Promise<ShopPage | null> {
    const askedAt = isoTime(nowMs());
    let page = wanted;
    let answer: ShopAnswer;
    try {
      answer = await ask((time) => {
        // A shop that lacks the memory or the time for a page may have them for a smaller one.
        page = { ...wanted, size: Math.max(1, Math.floor(wanted.size / 4 ** (time - 1))) };
        return api.path(page, types);
      });
    } catch (error) {
      if (!(error instanceof PageTooLarge)) throw error;
      if (page.size > 1) return { ...page, size: Math.floor(page.size / 2) };
      return passOver(page, error);
    }
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
          // A list of old events does not show the order's state now, so it has no `askedAt`.
          .map((event) => storeReceived(saysAll ? { ...event, askedAt } : event)),
      );
    return pageAt(read.next, page);
  }

  /**
   * Returns the page at a position, a tenth larger than the page before, up to the usual size. After a page that was too large,
   * small steps avoid another one: a shop's orders are alike.
   */
  function pageAt(position: ShopPosition | null, { size }: ShopPage): ShopPage | null {
    return position && { ...position, size: Math.min(api.pageSize, size + Math.ceil(api.pageSize / 10)) };
  }

  /** Keeps the beginning of an order that is too large among the refused reports, and returns the page after the order. */
  async function passOver(page: ShopPage, { message, answer }: PageTooLarge): Promise<ShopPage | null> {
    const { headers, text } = answer;
    const id = /"id"\s*:\s*"?([\w-]{1,64})/.exec(text)?.[1];
    if (id === undefined) throw new ShopFault(message);
    if (!passedOver.has(id)) {
      passedOver.add(id);
      const why = `is too large to be read; it is that of ${id}`;
      const { outcome } = await storeEvent(source, { kind: 'misread', why }, { text, value: undefined });
      if (outcome === 'kept') kept++;
    }
    return pageAt(api.read({ value: api.pageOf(id), headers }, page, startMs).next, page);
  }

  async function storeReceived(received: ReceivedEvent): Promise<void> {
    const { payload, askedAt } = received;
    const sent = { text: JSON.stringify(payload), value: payload, ...(askedAt && { askedAt }) };
    for (const event of mapEvents(source.kind, received)) {
      if (signal?.aborted) throw new ShopFault('The server stopped.');
      const { outcome, order, mergedIds = [] } = await storeEvent(source, event, sent);
      if (order !== null && event.kind === 'order' && event.wasPaid) ids.add(order.id);
      if (event.kind === 'order') hasBuyer ||= api.namesBuyer!(payload);
      if (order !== null && outcome === 'new') {
        missing.add(order.id);
        await recordFound(source.teamId, order.id);
      }
      for (const id of mergedIds) merged.add(id);
      if (outcome === 'kept') kept++;
      if (outcome === 'kept' && event.kind === 'order')
        keptOrders.add(event.report.orderId ?? event.providerIds[0]);
    }
  }
}

/** Describes the result of a sync, and a fault of the shop's webhook, in sentences. */
export function describeAsked(kind: ShopSource['kind'], result: SyncResult): string {
  return [describeSync(result), describeWebhook(kind, result.webhook)].filter(Boolean).join(' ');
}

/** Describes the result of a sync in one or two sentences, and adds its warnings. */
export function describeSync({
  named,
  orders,
  missing,
  kept,
  passedOver,
  since,
  until,
  fault,
  isKeyInQuery,
  isBuyerWithheld,
}: SyncResult): string {
  const waiting =
    (passedOver.length > 0 ? ` Too large to be read, and passed over: ${nameSome(passedOver)}.` : '') +
    (kept > 0
      ? ` Not stored, and among the refused reports unless somebody has discarded it there: ${kept}.`
      : '') +
    (isBuyerWithheld
      ? ' None of these orders names its buyer: this key may not read buyers, unless all of them are of a till. Emails and names come by webhooks and pages alone.'
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

const namedAtMost = 10;

function nameSome(ids: readonly string[]): string {
  const more = ids.length - namedAtMost;
  return ids.slice(0, namedAtMost).join(', ') + (more > 0 ? `, and ${more} more` : '');
}
