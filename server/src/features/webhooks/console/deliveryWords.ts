import { formatNumber, formatSpan } from '../../../console/parts/format.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import type { HookEvent } from '../hook.js';
import type { HookDelivery } from '../hookDelivery.js';
import type { ListedHook } from '../sql/hook.js';

/** A description of each event. */
export const eventWords: Record<HookEvent, string> = {
  'order.created': 'a new order',
  'order.changed': 'a stored order that a later report changed',
  'order.merged': 'an order that turned out to be a part of another one',
  'order.refunded': 'a refund',
  'enrollment.created': 'a person who was enrolled in a sequence',
  'orders.stopped': 'orders have stopped, or come again',
  'refused.began': 'reports of a host or field begin to be refused',
};

/** Returns the host of a hook's URL, by which a merchant recognises it. */
export function hostOfHook({ url }: Pick<ListedHook, 'url'>): string {
  return new URL(url).host;
}

/** Returns the name of a webhook in a list: its host, with its path if another webhook has the same host. */
export function nameOfHook(hook: ListedHook, hooks: readonly ListedHook[]): string {
  const host = hostOfHook(hook);
  const isOnly = hooks.filter((other) => hostOfHook(other) === host).length === 1;
  return isOnly ? host : host + new URL(hook.url).pathname;
}

/**
 * Describes the state of a delivery.
 * @param hook undefined if it was removed while the page was made
 */
export function describeDelivery(
  delivery: HookDelivery,
  hook: Pick<ListedHook, 'disabledAt'> | undefined,
  viewer: Viewer,
): string {
  const { nextAt, attempts, deliveredAt, error, status, tookMs } = delivery;
  const took = tookMs === null ? '' : ` in ${formatNumber(tookMs, viewer)} ms`;
  if (deliveredAt !== null) return `Delivered${took}: ${status ?? 'no status'}`;
  const times = `${formatNumber(attempts, viewer)} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  if (nextAt === null) return `Failed after ${times}: ${error ?? 'it was not sent'}`;
  if (hook?.disabledAt) return 'Waits until the webhook is switched on';
  if (error === null) return attempts === 0 ? 'Waits' : 'Is being sent';
  const waitMs = nextAt.getTime() - viewer.now.getTime();
  const next = waitMs <= 0 ? 'the next one follows now' : `the next one in ${formatSpan(waitMs)}`;
  return `Failed, ${times}, ${next}: ${error}`;
}
