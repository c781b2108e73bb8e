import { decodeId, encodeId, type Uuid } from '../../../values/ids.js';
import type { HookDelivery } from '../hookDelivery.js';

/** The valid parameters of the page of webhooks. */
export interface WebhookQuery {
  /** The webhook whose deliveries are listed; null for all. */
  hookId: Uuid | null;
  onlyFailed: boolean;
}

/** Reads the parameters of the page. Invalid ones count as missing. */
export function readWebhookQuery(asked: Record<string, string>): WebhookQuery {
  return { hookId: decodeId('hook', asked.hook ?? ''), onlyFailed: asked.show === 'failed' };
}

/** Returns the parameters of a page. */
export function webhookParameters({ hookId, onlyFailed }: WebhookQuery): Record<string, string | undefined> {
  return {
    hook: hookId ? encodeId('hook', hookId) : undefined,
    show: onlyFailed ? 'failed' : undefined,
  };
}

/** Identifies a delivery of a team. Deliveries to several hooks may have the same id. */
export type DeliveryName = Pick<HookDelivery, 'id' | 'hookId'>;

/** Writes the name of a delivery for forms and addresses: `msg_….hook_…`. */
export function writeDeliveryName({ id, hookId }: DeliveryName): string {
  return `${encodeId('msg', id)}.${encodeId('hook', hookId)}`;
}

/** Reads a name that `writeDeliveryName` wrote; null for any other text. */
export function readDeliveryName(text: string): DeliveryName | null {
  const [message = '', hook = ''] = text.split('.');
  const id = decodeId('msg', message);
  const hookId = decodeId('hook', hook);
  return id !== null && hookId !== null ? { id, hookId } : null;
}
