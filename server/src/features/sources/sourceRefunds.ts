import { isReportedByKey } from '../../core/orders/sql/placedOrder.js';
import { listRefundsOfSource } from '../../core/refunds/sql/takenBack.js';
import type { Clock } from '../../database/clock.js';
import { withoutEmail } from '../../values/email.js';
import { isStorable } from '../../values/text.js';
import { isoTime } from '../../values/time.js';
import { isTestOf, keyOfSource, saidTime } from './eventReport.js';
import type { PageOrdersDeps } from './pageOrders.js';
import type { ShopSource } from './source.js';
import type { RefundList, RefundTakenBack, SourceRefund } from './sourceEvent.js';
import type { StoredEvent } from './storedEvent.js';

/** Dependencies of `createSourceRefunds`. */
export interface SourceRefundsDeps extends PageOrdersDeps {
  clock: Clock;
}

/** Makes the functions that store refunds of shop systems, and take them back. */
export function createSourceRefunds({ inTurn, storeRefund, takeBackRefund, clock }: SourceRefundsDeps) {
  return { store, takeBack, takeBackMissing };

  async function store(source: ShopSource, refund: SourceRefund): Promise<StoredEvent> {
    const { kind, at, dispute, listedAt, ...said } = refund;
    const report = {
      ...said,
      orderId: said.orderId === null ? null : prefixed(source, said.orderId),
      paymentId: said.paymentId === null ? null : keyOfSource(source, said.paymentId),
      refundId: prefixed(source, said.refundId),
    };
    const isTest = await isTestRefund(source, refund);
    const createdAt = saidTime(at) ?? isoTime(clock.nowMs());
    const { teamId } = source;
    // A list without it takes back what a source has reported, and no list has a dispute.
    const saidBy = dispute ?? { sourceId: source.id, listedAt: saidTime(listedAt ?? null) ?? undefined };
    const stated = { ...report, ...saidBy, isTest, createdAt, isExact: false };
    const { isNew, isTakenBack, placedOrderId } = await storeRefund(teamId, stated);
    const order = placedOrderId === null ? null : { id: placedOrderId, isTest };
    if (!isNew && isTakenBack && listedAt) return { outcome: 'ignored', order: null };
    return { outcome: isNew ? 'refund' : 'known', order };
  }

  /** The order decides, because Shopify flags refunds of live orders as tests, too. */
  async function isTestRefund(
    source: ShopSource,
    { orderId, isTest }: Pick<SourceRefund, 'orderId' | 'isTest'>,
  ): Promise<boolean> {
    const flag = isTestOf(source, { isTest });
    const id = orderId === null ? null : storableOrNull(prefixed(source, orderId));
    if (source.isTest || id === null) return flag;
    const { teamId } = source;
    const isOf = (mode: boolean) => inTurn(teamId, (sql) => isReportedByKey(sql, teamId, id, mode));
    return (await isOf(flag)) || !(await isOf(!flag)) ? flag : !flag;
  }

  /** Takes back the refunds of an order that its list no longer has. A list of an earlier time does not know later ones. */
  async function takeBackMissing(source: ShopSource, list: RefundList): Promise<StoredEvent> {
    const orderId = storableOrNull(prefixed(source, list.orderId));
    if (orderId === null) return { outcome: 'ignored', order: null };
    const isTest = isTestOf(source, list);
    const before = saidTime(list.at) ?? isoTime(clock.nowMs());
    const { teamId, id: sourceId } = source;
    const paymentId = storableOrNull(keyOfSource(source, list.paymentId ?? ''));
    const order = { sourceId, orderId, paymentId, isTest, before };
    const stored = await inTurn(teamId, (sql) => listRefundsOfSource(sql, teamId, order));
    const listed = new Set(list.refundIds.map((refundId) => withoutEmail(prefixed(source, refundId))));
    const missing = stored.filter((refundId) => !listed.has(refundId));
    return missing.length > 0
      ? takeBackAll(source, missing, isTest, before)
      : { outcome: 'ignored', order: null };
  }

  async function takeBackAll(
    { teamId }: ShopSource,
    refundIds: string[],
    isTest: boolean,
    listedAt?: string,
  ): Promise<StoredEvent> {
    let isNew = false;
    for (const refundId of refundIds.filter(isStorable))
      isNew = (await takeBackRefund(teamId, refundId, isTest, listedAt)) || isNew;
    return { outcome: isNew ? 'taken_back' : 'known', order: null };
  }

  async function takeBack(source: ShopSource, event: RefundTakenBack): Promise<StoredEvent> {
    return takeBackAll(source, [prefixed(source, event.refundId)], await isTestRefund(source, event));
  }
}

/** An id of the shop's own with the source's prefix. */
function prefixed({ orderIdPrefix }: ShopSource, id: string): string {
  return orderIdPrefix + id;
}

function storableOrNull(id: string): string | null {
  return isStorable(id) ? id : null;
}
