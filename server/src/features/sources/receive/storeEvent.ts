import type { FoldedRefund } from '../../../core/orders/merge/foldRefunds.js';
import { toObject } from '../../../core/orders/merge/joinVersions.js';
import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import type { PlannedOrder } from '../../../core/orders/merge/plan.js';
import type { StatedRefund } from '../../../core/orders/merge/statement.js';
import { statementsOfReport } from '../../../core/orders/merge/statementsOfReport.js';
import { isProviderId } from '../../../core/orders/payment.js';
import { dropOwnReferrers } from '../../../core/orders/receive/dropOwnReferrers.js';
import { fieldOf } from '../../../core/orders/receive/issues.js';
import { prepareReport } from '../../../core/orders/receive/prepareReport.js';
import { readReport } from '../../../core/orders/receive/readReport.js';
import { type RefusedRequest, refundNotStored } from '../../../core/orders/refusedRequest.js';
import type { OfShop, PreparedReport } from '../../../core/orders/report.js';
import { orderOf } from '../../../core/orders/store/placeReport.js';
import { withEarlierTouches } from '../../../core/orders/store/sql/earlierTouches.js';
import type { Clock } from '../../../database/clock.js';
import type { InTurn } from '../../../database/turns.js';
import { ApiError } from '../../../values/errors.js';
import { describeIssues } from '../../../values/issues.js';
import { limits } from '../../../values/limits.js';
import { decodePart } from '../../../values/text.js';
import type { RefusedKeeper } from '../../refused/keepRefused.js';
import type { ShopSource } from '../source.js';
import { findModeOf } from '../sql/modeOf.js';
import type { EventOutcome, StoredEvent } from '../storedEvent.js';
import { bodyOf, idOfSource, isName, isTestOf, keyHashOf, shownTime, statedTime } from './eventReport.js';
import type { ReadEvents } from './readEvents.js';
import { listedRefunds, refundStatement } from './refundStatement.js';
import type { ReceivedEvent, SourceEvent, SourceOrder, SourceRefund } from './sourceEvent.js';

/** The whole event. Its text is kept if the event is misread. `askedAt` is set if the shop was asked for it. */
export type SentEvent = Pick<ReadEvents, 'text' | 'value'> & Pick<ReceivedEvent, 'askedAt'>;

/**
 * Stores a fact of an event, and resolves after the commit. Rejects with `unavailable`, and with the database's
 * failures.
 */
export type StoreEvent = (source: ShopSource, event: SourceEvent, sent: SentEvent) => Promise<StoredEvent>;

/** Dependencies of `createStoreEvent`. */
export interface StoreEventDeps {
  inTurn: InTurn;
  clock: Clock;
  /** The installation's secret, from which people's ids are made. */
  secret: string;
  place: PlaceStatements;
  keepRefused: RefusedKeeper['keep'];
}

/** Creates the function that stores the facts of an event. */
export function createStoreEvent({ inTurn, clock, secret, place, keepRefused }: StoreEventDeps): StoreEvent {
  return async function storeEvent(source, event, sent) {
    switch (event.kind) {
      case 'order':
        return storeOrder(source, event, sent.askedAt);
      case 'refund':
        return storeRefund(source, event);
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

  async function storeOrder(
    source: ShopSource,
    event: SourceOrder,
    askedAt: string | undefined,
  ): Promise<StoredEvent> {
    const body = bodyOf(source, event);
    const providerIds = event.providerIds.map((key) => idOfSource(source, key)).filter(isName);
    const [object = `${source.kind}_${String(body.orderId)}`] = providerIds;
    const parentId = event.parentId && source.orderIdPrefix + event.parentId;
    const ofShop: OfShop = {
      object,
      kind: event.of,
      state: event.state,
      wasPaid: event.wasPaid,
      ...(event.buyer && { buyer: event.buyer }),
      ...(askedAt && { askedAt }),
      ...(event.refunds && {
        refunds: listedRefunds(source, event.refunds, event.changedAt ?? event.at, clock.nowMs()),
        isWholeList: true as const,
      }),
      ...(parentId && isName(parentId) && { parentId }),
      ...(event.state === 'ended' && { since: source.createdAt.toISOString() }),
    };
    const isTest = isTestOf(source, event);
    const keyHash = keyHashOf(source, event);
    const times = {
      changedAt: statedTime(event.changedAt),
      createdAt: shownTime(event.at, clock.nowMs()),
      isDated: event.at !== null,
    };
    try {
      const parsed = readReport(body, true);
      if (parsed.issues && !event.wasPaid) return { outcome: 'ignored', order: null };
      if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
      const prepared = prepareReport(
        parsed,
        {
          teamId: source.teamId,
          keyHash,
          host: null,
          idempotencyKey: undefined,
          providerIds,
          changedAt: times.changedAt,
          createdAt: times.createdAt,
          idMs: clock.idMs(),
        },
        secret,
      );
      const shopOrderId = event.shopOrderId ? source.orderIdPrefix + event.shopOrderId : null;
      const report: PreparedReport = {
        ...prepared,
        ofShop,
        isDated: times.isDated,
        shopOrderId:
          shopOrderId === prepared.orderId || shopOrderId === null || !isName(shopOrderId)
            ? null
            : shopOrderId,
      };
      return await storeStatement(
        source,
        await dropOwnReferrers(inTurn, source.teamId, report),
        isTest,
        event,
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'invalid_api_key')
        throw error;
      const text = writeBody(body);
      const idempotencyKey = providerIds.find(isProviderId) ?? null;
      // A corrected report keeps its identifiers, its version and its time.
      const statement = { ofShop, keys: providerIds, ...times };
      return keep(source, { error, keyHash, idempotencyKey, text, value: body, statement });
    }
  }

  async function storeStatement(
    { teamId, createdAt }: ShopSource,
    report: PreparedReport,
    isTest: boolean,
    event: SourceOrder,
  ): Promise<StoredEvent> {
    const authorized = { ...report, isTest };
    const [statement] = statementsOfReport(authorized);
    const { object, refunds: listed } = statement!;
    // If the order is older than the source and its buyer erased, the statement alone creates no order. It is stored,
    // so that an older version which arrives later is known to be erased.
    const isOfBefore = event.buyer === 'erased' && (event.at ?? '') < createdAt.toISOString();
    const { plan, isWritten, mergedIds } = await inTurn(teamId, async (sql) => {
      const stated = toObject(await withEarlierTouches(sql, teamId, authorized, statement!));
      return place(teamId, isTest, {
        stated: [isOfBefore ? { ...stated, wasPaid: false } : stated],
        newId: { id: report.id, orderNumber: report.orderNumber },
        ...(report.name !== null && {
          naming: { personId: report.personId, name: report.name, isByKey: !isTest },
        }),
      });
    });
    const order = orderOf(plan, object);
    if (!order) return { outcome: 'ignored', order: null };
    const stored = { id: order.id, isTest };
    if (!event.wasPaid) return { outcome: isWritten ? 'refund' : 'known', order: stored, mergedIds };
    const refunds = refundOutcomes(order, object, listed);
    return { outcome: order.before === null ? 'new' : 'known', refunds, order: stored, mergedIds };
  }

  async function storeRefund(source: ShopSource, event: SourceRefund): Promise<StoredEvent> {
    const { teamId } = source;
    try {
      const statement = refundStatement(source, event, clock);
      const flag = isTestOf(source, event);
      // The stored order decides, because Shopify marks refunds of live orders as tests, too.
      const isTest = source.isTest
        ? true
        : await inTurn(teamId, async (sql) => (await findModeOf(sql, teamId, statement.names)) ?? flag);
      const { plan, isWritten } = await inTurn(teamId, () =>
        place(teamId, isTest, { stated: [toObject(statement)] }),
      );
      const order = orderOf(plan, statement.object);
      const stored = order ? { id: order.id, isTest } : null;
      if (event.state === 'ended') return { outcome: isWritten ? 'taken_back' : 'known', order: null };
      return { outcome: isWritten ? 'refund' : 'known', order: stored };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const issues = error.issues ?? [{ path: 'refundId', message: error.message }];
      const { kind: _, at: _at, ...said } = event;
      return keep(source, {
        error: { code: refundNotStored, issues },
        keyHash: keyHashOf(source, event),
        idempotencyKey: null,
        text: JSON.stringify(said),
        // Null, because a refund that is read as a report would be taken for its order.
        value: null,
      });
    }
  }

  async function keep(
    { teamId }: ShopSource,
    refused: Pick<RefusedRequest, 'error' | 'keyHash' | 'idempotencyKey' | 'text' | 'value' | 'statement'>,
  ): Promise<StoredEvent> {
    const field = fieldOf(refused.error.issues);
    await keepRefused(teamId, { ...refused, text: cutText(refused.text), host: '', field });
    return { outcome: 'kept', order: null };
  }
}

/** Returns the outcome of each refund that an order lists, and `taken_back` if a known one has left its list. */
function refundOutcomes(
  { before, folded }: PlannedOrder,
  object: string,
  listed: readonly StatedRefund[] = [],
): EventOutcome[] {
  const idsOf = (refunds: readonly FoldedRefund[] = []) =>
    new Set(refunds.filter((refund) => refund.object === object).map(({ refundId }) => refundId));
  const [known, now] = [idsOf(before?.refunds), idsOf(folded.refunds)];
  const outcomes = listed.map(({ refundId }): EventOutcome => {
    if (!now.has(refundId)) return 'ignored';
    return known.has(refundId) ? 'known' : 'refund';
  });
  return [...known].every((id) => now.has(id)) ? outcomes : [...outcomes, 'taken_back'];
}

/** Writes a report as JSON. A long one loses its items, because the amount matters more. */
function writeBody(body: Record<string, unknown>): string {
  const text = JSON.stringify(body);
  return Buffer.byteLength(text) <= limits.bodyBytes ? text : JSON.stringify({ ...body, items: undefined });
}

/** Cuts the text of an event to the limit of a report's body. */
const cutText = (text: string) => decodePart(Buffer.from(text).subarray(0, limits.bodyBytes));
