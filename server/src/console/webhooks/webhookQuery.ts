import type { DeliveryCursor } from '../../hooks/hookDelivery.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';

/** Parameters of the page of webhooks, as far as they are valid. */
export interface WebhookQuery {
  /** The webhook whose deliveries are listed; null for all. */
  hookId: Uuid | null;
  onlyFailed: boolean;
  before: DeliveryCursor | null;
}

/** Reads the parameters of the page; invalid ones count as absent. */
export function readWebhookQuery(asked: Record<string, string>): WebhookQuery {
  return {
    hookId: decodeId('hook', asked.hook ?? ''),
    onlyFailed: asked.show === 'failed',
    before: readDeliveryCursor(asked.before ?? ''),
  };
}

/** The parameters of a page, from a place on. */
export function webhookParameters(
  { hookId, onlyFailed }: Pick<WebhookQuery, 'hookId' | 'onlyFailed'>,
  before?: DeliveryCursor,
): Record<string, string | undefined> {
  return {
    hook: hookId ? encodeId('hook', hookId) : undefined,
    show: onlyFailed ? 'failed' : undefined,
    before: before && writeDeliveryCursor(before),
  };
}

/** Writes which delivery is meant, for an address: `msg_….hook_…`. */
export function writeDeliveryCursor({ id, hookId }: DeliveryCursor): string {
  return `${encodeId('msg', id)}.${encodeId('hook', hookId)}`;
}

/** Reads what `writeDeliveryCursor` wrote; null for any other text. */
export function readDeliveryCursor(text: string): DeliveryCursor | null {
  const [message = '', hook = ''] = text.split('.');
  const id = decodeId('msg', message);
  const hookId = decodeId('hook', hook);
  return id !== null && hookId !== null ? { id, hookId } : null;
}
