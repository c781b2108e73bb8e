import { decodeId, encodeId, type Uuid } from '../../../values/ids.js';
import type { HookDelivery } from '../hookDelivery.js';

/** Parameters of the page of webhooks, as far as they are valid. */
export interface WebhookQuery {
  /** The webhook whose deliveries are listed; null for all. */
  hookId: Uuid | null;
  onlyFailed: boolean;
}

/** Reads the parameters of the page; invalid ones count as absent. */
export function readWebhookQuery(asked: Record<string, string>): WebhookQuery {
  return { hookId: decodeId('hook', asked.hook ?? ''), onlyFailed: asked.show === 'failed' };
}

/** The parameters of a page. */
export function webhookParameters({ hookId, onlyFailed }: WebhookQuery): Record<string, string | undefined> {
  return {
    hook: hookId ? encodeId('hook', hookId) : undefined,
    show: onlyFailed ? 'failed' : undefined,
  };
}

/** Names a delivery among those of a team: several hooks may have the same id. */
export type DeliveryName = Pick<HookDelivery, 'id' | 'hookId'>;

/** Writes which delivery is meant, for forms and addresses: `msg_….hook_…`. */
export function writeDeliveryName({ id, hookId }: DeliveryName): string {
  return `${encodeId('msg', id)}.${encodeId('hook', hookId)}`;
}

/** Reads what `writeDeliveryName` wrote; null for any other text. */
export function readDeliveryName(text: string): DeliveryName | null {
  const [message = '', hook = ''] = text.split('.');
  const id = decodeId('msg', message);
  const hookId = decodeId('hook', hook);
  return id !== null && hookId !== null ? { id, hookId } : null;
}
