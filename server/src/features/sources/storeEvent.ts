import { dropOwnReferrers } from '../../core/orders/dropOwnReferrers.js';
import { forgottenKey } from '../../core/orders/forgetBuyer.js';
import { fieldOf } from '../../core/orders/issues.js';
import { isProviderId } from '../../core/orders/payment.js';
import { readReport } from '../../core/orders/readReport.js';
import type { RefusedRequest } from '../../core/orders/refusals.js';
import type { BuyerOfShop } from '../../core/orders/report.js';
import { stampReport } from '../../core/orders/stampReport.js';
import type { StoreReport } from '../../core/orders/storeReport.js';
import { isMadeUpEmail, madeUpEmail } from '../../values/email.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, personUuid } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { limits } from '../../values/limits.js';
import { decodePart, isStorable } from '../../values/text.js';
import type { RefusedKeeper } from '../refused/keepRefused.js';
import { refundNotStored } from '../refused/refusedReport.js';
import { bodyOf, keyHashOf, keyOfSource, saidTime, shownTime } from './eventReport.js';
import { createPageOrders, namedByShop } from './pageOrders.js';
import { providers } from './providers.js';
import type { ReadEvents } from './readEvents.js';
import type { ShopSource } from './source.js';
import type { SourceEvent, SourceOrder, SourceRefund, UnpaidOrder } from './sourceEvent.js';
import { createSourceRefunds, type SourceRefundsDeps } from './sourceRefunds.js';
import type { StoredEvent } from './storedEvent.js';

/**
 * Stores a fact of an event, and resolves after the commit. Throws `unavailable`, and the database's failures.
 * @param sent the whole event, which is kept when nobody can read it
 */
export type StoreEvent = (
  source: ShopSource,
  event: SourceEvent,
  sent: Pick<ReadEvents, 'text' | 'value'>,
) => Promise<StoredEvent>;

/** Dependencies of `createStoreEvent`. */
export interface StoreEventDeps extends SourceRefundsDeps {
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  storeReport: StoreReport;
  keepRefused: RefusedKeeper['keep'];
}

/** Makes the step that stores the facts of an event. */
export function createStoreEvent(deps: StoreEventDeps): StoreEvent {
  const { secret, clock, storeReport, keepRefused } = deps;
  const refunds = createSourceRefunds(deps);
  const pageOrders = createPageOrders(deps);
  return async function storeEvent(source, event, sent) {
    switch (event.kind) {
      case 'order':
        return storeOrder(source, event);
      case 'unpaid':
        return orKeep(source, event, () =>
          pageOrders.takeUnpaid(namedByShop(source, event), shownTime(event.at, clock.nowMs())),
        );
      case 'refund':
        return orKeep(source, event, () => refunds.store(source, event));
      case 'takenBack':
        return refunds.takeBack(source, event);
      case 'refundList':
        return refunds.takeBackMissing(source, event);
      case 'ignored':
      case 'ping':
        return { outcome: event.kind, order: null };
      case 'error':
        return { outcome: 'shop_error', order: null };
      case 'misread':
        return keep(source, {
          error: new ApiError('invalid_request', {
            message: `The event ${event.why}.`,
            issues: [{ path: '', message: event.why }],
          }),
          keyHash: keyHashOf(source, { isTest: null }),
          idempotencyKey: null,
          ...sent,
        });
    }
  };

  async function storeOrder(source: ShopSource, event: SourceOrder): Promise<StoredEvent> {
    const keyHash = keyHashOf(source, event);
    const body = bodyOf(source, event);
    const keys = event.keys.map((key) => keyOfSource(source, key)).filter(isStorable);
    try {
      const parsed = readReport(body, true);
      if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
      const nowMs = clock.nowMs();
      const { saysAll } = providers[source.kind];
      const buyerOfShop = saysAll ? stateBuyer(source, event, parsed.report.email) : undefined;
      if (event.isErased) keys.push(...keys.slice(0, 1).map(forgottenKey));
      const stamp = {
        teamId: source.teamId,
        keyHash,
        host: null,
        idempotencyKey: undefined,
        keys: keys.filter((key) => key.length <= limits.id),
        changedAt: saidTime(event.changedAt),
        createdAt: shownTime(event.at, nowMs),
        idMs: clock.idMs(),
      };
      const { teamId } = source;
      const report = { ...stampReport(parsed, stamp, secret), ...(buyerOfShop && { buyerOfShop }) };
      const stamped = await dropOwnReferrers(deps.inTurn, teamId, report);
      const names = { orderId: String(event.report.orderId), key: event.keys[0] ?? '', isTest: event.isTest };
      const named = namedByShop(source, names);
      const orderId = (saysAll && (await pageOrders.findFormerId(named, report))) || report.orderId;
      const { id, isNew, isTest } = await storeReport(teamId, { ...stamped, orderId });
      if (saysAll && !isNew) await pageOrders.keepPaid({ ...named, isTest });
      return { outcome: isNew ? 'new' : 'known', order: { id: decodeId('ord', id)!, isTest } };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'invalid_api_key')
        throw error;
      const idempotencyKey = keys.find(isProviderId) ?? null;
      // With its own time, which a correction keeps.
      const text = writeBody({ ...body, createdAt: shownTime(event.at, clock.nowMs()) });
      return keep(source, { error, keyHash, idempotencyKey, text, value: body });
    }
  }

  function stateBuyer(
    { kind, teamId }: ShopSource,
    { isErased, keys, report }: SourceOrder,
    email: string,
  ): BuyerOfShop {
    const state = isErased ? 'erased' : isMadeUpEmail(email) ? 'none' : 'named';
    // The id, because two orders may have one number.
    const nobody = madeUpEmail(kind, `order-${keys[0]?.split('_')[1] ?? report.orderId}`);
    return { state, nobody: { personId: personUuid(secret, teamId, nobody), email: nobody } };
  }

  /** Stores what takes money back, and keeps what is refused of it. */
  async function orKeep(
    source: ShopSource,
    event: SourceRefund | UnpaidOrder,
    store: () => Promise<StoredEvent>,
  ): Promise<StoredEvent> {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const issues = error.issues ?? [{ path: 'refundId', message: error.message }];
      const { kind, at, ...said } = event;
      return keep(source, {
        error: { code: refundNotStored, issues },
        keyHash: keyHashOf(source, event),
        idempotencyKey: null,
        text: JSON.stringify({ ...said, listedAt: undefined, dispute: undefined }),
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
    await keepRefused(teamId, { ...refused, text: cutText(refused.text), host: '', field });
    return { outcome: 'kept', order: null };
  }
}

/** Writes a report, a long one without its items, because the amount matters more. */
function writeBody(body: Record<string, unknown>): string {
  const text = JSON.stringify(body);
  return Buffer.byteLength(text) <= limits.bodyBytes ? text : JSON.stringify({ ...body, items: undefined });
}

/** Of an event that nobody can read. */
const cutText = (text: string) => decodePart(Buffer.from(text).subarray(0, limits.bodyBytes));
