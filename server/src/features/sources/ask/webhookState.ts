import { providers } from '../providers.js';
import type { ShopAccess, ShopSource } from '../source.js';
import { originOf, type SendToShop } from './askShop.js';
import type { ListedWebhook, ShopAnswer } from './shopApi.js';

/** The state of a source's webhook: on, switched off, not there, or at an address that leads on to another one. */
export type WebhookState = { state: 'on' | 'off' | 'missing' } | { state: 'moved'; to: string };

/**
 * Finds the state of a source's webhook, as the shop reports it. Null where the key may not see it, or the answer is none.
 * @param deps.ask asks the shop for a path; may reject with a ShopFault
 */
export async function findWebhook(
  { kind, token, allowsPrivate }: ShopSource & ShopAccess,
  deps: {
    ask: (path: string) => Promise<ShopAnswer>;
    send: SendToShop;
    signal: AbortSignal | undefined;
  },
): Promise<WebhookState | null> {
  const { webhooks } = providers[kind].api;
  if (!webhooks) return null;
  let listed: ListedWebhook[];
  try {
    listed = webhooks.read(await deps.ask(webhooks.path));
  } catch {
    return null;
  }
  const ours = listed.filter(({ url }) => url.includes(token));
  if (ours.length === 0) return { state: 'missing' };
  const on = ours.find(({ isOn }) => isOn);
  if (!on) return { state: 'off' };
  const to = webhooks.countsRedirects ? await findRedirect(on.url) : null;
  return to === null ? { state: 'on' } : { state: 'moved', to };

  /** Finds where the address that the shop calls leads on to. Null for nowhere, and where it cannot be reached from here. */
  async function findRedirect(url: string): Promise<string | null> {
    if (!URL.canParse(url)) return null;
    const { send, signal } = deps;
    const answer = await send({ url, headers: {}, allowsPrivate, signal });
    if (answer.status === undefined || answer.status < 300 || answer.status >= 400) return null;
    return originOf(answer.headers.get('location') ?? '', url);
  }
}

const offWords = {
  woocommerce:
    'WooCommerce has switched the webhook off, as it does after more than five failures in a row, or it is paused: set its status to Active under WooCommerce → Settings → Advanced → Webhooks.',
  stripe: 'Stripe has the webhook disabled: enable it under Workbench → Webhooks.',
  shopify: 'Shopify has the webhook switched off.',
};

/** Sentences for a state that a key does not see, with the place where a person does. */
export const unseenWebhook: Record<ShopSource['kind'], string> = {
  woocommerce:
    'Its user may not see webhooks, so look for yourself if the webhook is Active, under WooCommerce → Settings → Advanced → Webhooks.',
  stripe:
    'It may not read webhook endpoints, so look for yourself if the destination is on, under Workbench → Webhooks, or let the key read them.',
  shopify:
    'Shopify shows it no webhook of its own admin, so look for yourself if they are still there, under Settings → Notifications → Webhooks.',
};

/** Says in one sentence what is wrong with a source's webhook. Null where nothing is known against it. */
export function describeWebhook(
  kind: ShopSource['kind'],
  webhook: WebhookState | null | undefined,
): string | null {
  const { name } = providers[kind];
  switch (webhook?.state) {
    case 'off':
      return offWords[kind];
    case 'missing':
      return `${name} has no webhook with the URL of this source: make it as the steps say.`;
    case 'moved':
      return `The webhook’s address leads on to ${webhook.to}. ${name} counts that as delivered, and no event arrives: enter the URL of this source as it is shown here, and set PUBLIC_URL to ${webhook.to}.`;
    default:
      return null;
  }
}
