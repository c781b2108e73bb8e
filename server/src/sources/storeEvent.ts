import type { Clock } from '../database/clock.js';
import { readReport } from '../orders/readReport.js';
import { stampReport } from '../orders/stampReport.js';
import type { Identifiers } from '../orders/storedOrder.js';
import type { StoreRefund } from '../orders/storeRefund.js';
import type { StoreReport } from '../orders/storeReport.js';
import type { RefusedRequest } from '../refused/describeRefused.js';
import { fieldOf } from '../refused/issues.js';
import type { RefusedKeeper } from '../refused/keepRefused.js';
import { refundNotStored } from '../refused/refusedReport.js';
import { ApiError } from '../values/errors.js';
import { decodeId, type Uuid } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import { limits } from '../values/limits.js';
import { decodePart, isStorable } from '../values/text.js';
import { bodyOf, isTestOf, keyHashOf, timeOf } from './eventReport.js';
import type { UnreadableEvent } from './readEvents.js';
import type { ShopSource } from './source.js';
import type { SourceEvent, SourceOrder, SourceRefund } from './sourceEvent.js';

/**
 * The outcome of an event: `kept` among the refused reports, `ignored` because it tells of no order and no refund,
 * `invalid_signature` when it was refused.
 */
export type EventOutcome = 'new' | 'known' | 'refund' | 'kept' | 'ignored' | 'ping' | 'invalid_signature';

/** An event whose outcome is known. */
export interface StoredEvent {
  outcome: EventOutcome;
  /** The order that it told of; null for none. */
  order: { id: Uuid; isTest: boolean } | null;
}

/** Stores what an event tells, and resolves after the commit. Throws `unavailable`, and the database's failures. */
export type StoreEvent = (source: ShopSource, event: SourceEvent | UnreadableEvent) => Promise<StoredEvent>;

/** Dependencies of `createStoreEvent`. */
export interface StoreEventDeps {
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  storeReport: StoreReport;
  storeRefund: StoreRefund;
  /** True when a key has reported an order with one of these ids. */
  isTold: (teamId: Uuid, ids: Pick<Identifiers, 'orderId' | 'keys'>, isTest: boolean) => Promise<boolean>;
  keepRefused: RefusedKeeper['keep'];
}

/** Makes the step that stores what an event tells. */
export function createStoreEvent({
  secret,
  clock,
  storeReport,
  storeRefund,
  isTold,
  keepRefused,
}: StoreEventDeps): StoreEvent {
  return async function storeEvent(source, event) {
    switch (event.kind) {
      case 'order':
        return storeOrder(source, event);
      case 'refund':
        return giveBack(source, event);
      case 'ignored':
        return { outcome: 'ignored', order: null };
      case 'unreadable':
        return keep(source, {
          error: new ApiError('invalid_request', {
            message: `The event ${event.why}.`,
            issues: [{ path: '', message: event.why }],
          }),
          keyHash: keyHashOf(source, { isTest: null }),
          idempotencyKey: null,
          text: event.text,
          value: event.payload,
        });
    }
  };

  async function storeOrder(source: ShopSource, event: SourceOrder): Promise<StoredEvent> {
    const keyHash = keyHashOf(source, event);
    const body = bodyOf(source, event);
    try {
      const parsed = readReport(body, true);
      if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
      const nowMs = clock.nowMs();
      const stamp = {
        teamId: source.teamId,
        keyHash,
        host: null,
        idempotencyKey: undefined,
        keys: event.keys.filter(isStorable),
        changedAt: event.changedAt === null ? null : timeOf(event.changedAt, nowMs),
        createdAt: timeOf(event.at, nowMs),
        idMs: clock.idMs(),
      };
      const stamped = stampReport(parsed, stamp, secret);
      const { id, isNew, isTest } = await storeReport(source.teamId, stamped);
      return { outcome: isNew ? 'new' : 'known', order: { id: decodeId('ord', id)!, isTest } };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'invalid_api_key')
        throw error;
      // Another event has said what this one lacks, or somebody has added it.
      const keys = event.keys.filter(isStorable);
      const idempotencyKey = keys[0] ?? null;
      const ids = { orderId: storableOrNull(body.orderId), keys };
      const isConflict = error.code === 'order_conflict';
      if (!isConflict && (await isTold(source.teamId, ids, isTestOf(source, event))))
        return { outcome: 'known', order: null };
      return keep(source, { error, keyHash, idempotencyKey, text: JSON.stringify(body), value: body });
    }
  }

  async function giveBack(source: ShopSource, refund: SourceRefund): Promise<StoredEvent> {
    const keyHash = keyHashOf(source, refund);
    const { kind, at, ...report } = refund;
    const isTest = isTestOf(source, refund);
    const createdAt = timeOf(at, clock.nowMs());
    try {
      const stored = await storeRefund(source.teamId, { ...report, isTest, createdAt, isExact: false });
      const order = stored.placedOrderId === null ? null : { id: stored.placedOrderId, isTest };
      return { outcome: stored.isNew ? 'refund' : 'known', order };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const issues = error.issues ?? [{ path: 'refundId', message: error.message }];
      return keep(source, {
        error: { code: refundNotStored, issues },
        keyHash,
        idempotencyKey: null,
        text: JSON.stringify(report),
        // Read as an order, it would be taken for the stored one.
        value: null,
      });
    }
  }

  async function keep(
    { teamId }: ShopSource,
    refused: Pick<RefusedRequest, 'error' | 'keyHash' | 'idempotencyKey' | 'text' | 'value'>,
  ): Promise<StoredEvent> {
    const field = fieldOf(refused.error.issues);
    await keepRefused(teamId, { ...refused, ...cutText(refused.text), host: '', field });
    return { outcome: 'kept', order: null };
  }
}

function storableOrNull(value: unknown): string | null {
  return typeof value === 'string' && isStorable(value) ? value : null;
}

function cutText(text: string): { text: string; isCut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= limits.bodyBytes) return { text, isCut: false };
  return { text: decodePart(bytes.subarray(0, limits.bodyBytes)), isCut: true };
}
