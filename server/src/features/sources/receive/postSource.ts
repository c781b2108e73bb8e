import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../database/clock.js';
import type { InTurn } from '../../../database/turns.js';
import {
  type DirectAnswer,
  type Exchange,
  type Handle,
  type RequestFacts,
  success,
} from '../../../http/exchange.js';
import { readBytes } from '../../../http/readBody.js';
import { ApiError } from '../../../values/errors.js';
import { encodeId, newUuid } from '../../../values/ids.js';
import { createSemaphore } from '../../../values/semaphore.js';
import { providers } from '../providers.js';
import { hostsOf, readShopHost } from '../shopHost.js';
import type { ShopSource } from '../source.js';
import { apartBounds, keepApartEvent, recordShopHost } from '../sql/apartEvent.js';
import type { KnownSource } from '../sql/source.js';
import type { AwayTime } from './awayTime.js';
import type { IdentifySource } from './identifySource.js';
import { isMeantAsSigned, isSigned } from './isSigned.js';
import { readEvents } from './readEvents.js';
import type { EventRecords } from './recordEvents.js';
import type { StoreEvent } from './storeEvent.js';

/**
 * Bytes of an event at most. An order of Shopify with 900 lines, and a shipment and a refund of each, has nearly as
 * many.
 */
export const bytesAtMost = 4_194_304;

/** Limits of reading events. One event is read at a time, in turns of the event loop of at most some 25 ms. Waiting teams take turns. */
export const readingBounds = { concurrent: 1, waiting: 500, waitingPerKey: 100 };
/** Length above which an event also waits by `longBounds`. So the waiting long events of a team hold at most 140 MiB. */
const longBytes = 1_048_576;
const longBounds = { concurrent: 1, waiting: 50, waitingPerKey: 10 };

/** Dependencies of the endpoint of sources. */
export interface PostSourceDeps {
  clock: Clock;
  identifySource: IdentifySource;
  storeEvent: StoreEvent;
  records: EventRecords;
  away: AwayTime;
  /** Runs a query in the team's turn. Only the first event of a source, and events of other hosts, need such a query. */
  inTurn: InTurn;
}

/**
 * Handles `POST /svc-api/v1/sources/:token`, which shop systems call. Answers each signed event with 200 after the
 * commit. A provider repeats an event with any other answer, and a repetition would fail the same way. Only a shop's
 * own error in place of an event is refused, so that the shop shows it to its owner.
 */
export function postSource({
  clock,
  identifySource,
  storeEvent,
  records,
  away,
  inTurn,
}: PostSourceDeps): Handle {
  const { recordEvent } = records;
  const reading = createSemaphore(readingBounds);
  const readingLong = createSemaphore(longBounds);

  return async function postSource(exchange, token) {
    let source: KnownSource | null = null;
    try {
      source = await identifySource(exchange, token); // 404, 429, 503
      return await takeEvent(exchange, source);
    } catch (error) {
      // WooCommerce does not send the event again, so record that the shop is to be asked.
      if (!(error instanceof ApiError) || error.status >= 500) away.record();
      else if (source) records.recordRefused(source);
      throw error;
    }
  };

  async function takeEvent(exchange: Exchange, source: KnownSource): Promise<DirectAnswer> {
    const { facts, incoming } = exchange;
    facts.team = encodeId('team', source.teamId);
    facts.sourceKind = source.kind;
    const bytes = await readBytes(incoming, bytesAtMost).catch((error) => {
      if (isTooLarge(error) && isMeantAsSigned(source.kind, incoming)) recordEvent(source, 'too_large');
      throw error; // 400, 413
    });
    if (isPing(source, bytes)) return answer(exchange, [recordEvent(source, 'ping')]);
    if (!isSignedBy(source, incoming, bytes, clock.nowMs())) {
      recordEvent(source, 'invalid_signature');
      throw refuseUnsigned(source); // 401
    }
    const { topicHeader } = providers[source.kind];
    const topic = topicHeader === null ? null : ((incoming.headers[topicHeader] as string) ?? '');
    const host = readShopHost(source.kind, incoming.headers);
    if (host !== null && !(await isOfShop(source, host))) {
      await keepApart(source, { host, topic, bytes }); // 422, 503
      return answer(exchange, [recordEvent(source, 'other_host')]);
    }
    const outcomes: string[] = [];
    const read = () => reading.run(() => readEvents(source.kind, bytes, topic), source.teamId);
    const { events, ...sent } = await (bytes.length > longBytes
      ? readingLong.run(read, source.teamId)
      : read()); // 503
    for (const event of events) {
      const { outcome, refunds = [], order } = await storeEvent(source, event, sent); // 503
      // Record the order's outcome last, because the setup page shows the last one.
      const ofRefunds = refunds.map((each) => recordEvent(source, each));
      outcomes.push(recordEvent(source, outcome), ...ofRefunds);
      if (event.kind === 'error')
        throw new ApiError('invalid_request', { status: 422, message: `The event ${event.why}.` });
      if (event.kind === 'order' && order !== null) noteStored(facts, order);
    }
    return answer(exchange, outcomes);
  }

  /** Checks if a host is the shop's. If no host is known yet, the host of the first event becomes the shop's. */
  async function isOfShop(source: KnownSource, host: string): Promise<boolean> {
    const known = hostsOf(source);
    if (known.length > 0) return known.includes(host);
    return (await inTurn(source.teamId, (sql) => recordShopHost(sql, source, host))).includes(host);
  }

  /** Keeps an event of another host until a person allows the host. */
  async function keepApart(
    source: KnownSource,
    { host, topic, bytes }: { host: string; topic: string | null; bytes: Buffer },
  ): Promise<void> {
    // PostgreSQL stores no NUL, and valid JSON contains none.
    const event = { id: newUuid(clock.idMs()), host, topic, body: bytes.toString().replaceAll('\0', '') };
    const isKept =
      bytes.length <= apartBounds.bytes &&
      (await inTurn(source.teamId, (sql) => keepApartEvent(sql, source, event)));
    if (isKept) return;
    const message = `The event is of ${host}, which is another host than that of the source's shop. Allow it in the console under Setup, Sources.`;
    throw new ApiError('invalid_request', { status: 422, message });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'payload_too_large';
}

function noteStored(facts: RequestFacts, { isTest }: { isTest: boolean }): void {
  facts.mode = isTest ? 'test' : 'live';
  facts.reportedBy = 'key';
}

/** Answers with all outcomes. The log gets the first one, which is the order's if the event has an order. */
function answer({ facts }: Exchange, outcomes: string[]) {
  facts.outcome = outcomes[0];
  return { status: 200, body: success({ outcomes }) };
}

/**
 * Checks for WooCommerce's ping `webhook_id=7`. It is unsigned, comes when a webhook is made, and must succeed:
 * WooCommerce otherwise drops the webhook.
 */
function isPing({ kind }: ShopSource, bytes: Buffer): boolean {
  return kind === 'woocommerce' && bytes.length < 40 && /^webhook_id=\d+$/.test(bytes.toString());
}

function isSignedBy(
  { kind, secret }: ShopSource,
  { headers }: IncomingMessage,
  bytes: Buffer,
  nowMs: number,
): boolean {
  return secret !== null && isSigned(kind, { headers, bytes }, secret, nowMs);
}

function refuseUnsigned({ secret }: ShopSource): ApiError {
  const message =
    secret === null
      ? 'This source has no signing secret yet; add it with the command "source update --secret-file".'
      : 'The signature is missing, wrong or too old.';
  return new ApiError('invalid_signature', { status: 401, message });
}
