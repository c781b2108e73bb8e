import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../database/clock.js';
import {
  type DirectAnswer,
  type Exchange,
  type Handle,
  type RequestFacts,
  success,
} from '../../http/exchange.js';
import { readBytes } from '../../http/readBody.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';
import type { AwayTime } from './awayTime.js';
import type { IdentifySource } from './identifySource.js';
import { isSigned } from './isSigned.js';
import { providers } from './providers.js';
import { readEvents } from './readEvents.js';
import type { EventRecords } from './recordEvents.js';
import type { ShopSource } from './source.js';
import type { StoreEvent } from './storeEvent.js';

/** Bytes of an event. An order of 500 lines has some 500 KiB with Shopify. */
export const bytesAtMost = 1_048_576;

/** Events that are read in one turn of the event loop, because one of 1 MiB takes some 20 ms; teams that wait take turns, with 100 MiB each. */
export const readingBounds = { concurrent: 1, waiting: 500, waitingPerKey: 100 };

/** Dependencies of the endpoint of sources. */
export interface PostSourceDeps {
  clock: Clock;
  identifySource: IdentifySource;
  storeEvent: StoreEvent;
  records: EventRecords;
  away: AwayTime;
}

/**
 * `POST /svc-api/v1/sources/:token`, which shop systems call. Whatever is signed is answered with 200, once it is
 * committed: a provider repeats everything else, and a retry would fail the same way. Only a shop's own error in place of an
 * event is refused, so that the shop shows it to its owner.
 */
export function postSource({ clock, identifySource, storeEvent, records, away }: PostSourceDeps): Handle {
  const { recordEvent } = records;
  const reading = createSemaphore(readingBounds);

  return async function postSource(exchange, token) {
    let source: ShopSource | null = null;
    try {
      source = await identifySource(exchange, token); // 404, 429, 503
      return await takeEvent(exchange, source);
    } catch (error) {
      // WooCommerce never sends it again, so the shop is asked.
      if (!(error instanceof ApiError) || error.status >= 500) away.record();
      else if (source) records.recordRefused(source);
      throw error;
    }
  };

  async function takeEvent(exchange: Exchange, source: ShopSource): Promise<DirectAnswer> {
    const { facts, incoming } = exchange;
    facts.team = encodeId('team', source.teamId);
    facts.sourceKind = source.kind;
    const bytes = await readBytes(incoming, bytesAtMost); // 400, 413
    if (isPing(source, bytes)) return answer(exchange, [recordEvent(source, 'ping')]);
    if (!isSignedBy(source, incoming, bytes, clock.nowMs())) {
      recordEvent(source, 'invalid_signature');
      throw refuseUnsigned(source); // 401
    }
    requireJson(source, incoming); // 415
    const { topicHeader } = providers[source.kind];
    const topic = topicHeader === null ? null : ((incoming.headers[topicHeader] as string) ?? '');
    const outcomes: string[] = [];
    const { events, ...sent } = await reading.run(async () => {
      await turn();
      return readEvents(source.kind, bytes, topic);
    }, source.teamId); // 503
    for (const event of events) {
      const { outcome, refunds = [], order } = await storeEvent(source, event, sent); // 503
      // The order's own last, for the setup page.
      const recorded = [...refunds, outcome].map((each) => recordEvent(source, each));
      outcomes.push(recorded.at(-1)!, ...recorded.slice(0, -1));
      if (event.kind === 'error')
        throw new ApiError('invalid_request', { status: 422, message: `The event ${event.why}.` });
      if (event.kind === 'order' && order !== null) noteStored(facts, order);
    }
    return answer(exchange, outcomes);
  }
}

function noteStored(facts: RequestFacts, { isTest }: { isTest: boolean }): void {
  facts.mode = isTest ? 'test' : 'live';
  facts.reportedBy = 'key';
}

/** The log has the first outcome: that of the order, where the event tells of one. */
function answer({ facts }: Exchange, outcomes: string[]) {
  facts.outcome = outcomes[0];
  return { status: 200, body: success({ outcomes }) };
}

/** WooCommerce sends `webhook_id=7`, unsigned, when a webhook is made, and drops a webhook whose ping fails. */
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

function requireJson({ kind }: ShopSource, { headers }: IncomingMessage): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'application/json') return;
  const setting = kind === 'shopify' ? ' In Shopify choose the format JSON for the webhook.' : '';
  throw new ApiError('unsupported_media_type', { message: `Send events as application/json.${setting}` });
}
