import { providers } from '../providers.js';
import type { ShopAccess, ShopSource } from '../source.js';
import { originOf, type SendToShop } from './askShop.js';
import type { ListedWebhook, ShopAnswer } from './shopApi.js';

/** The state of a source's webhook. `moved`: its address redirects to the origin `to`. */
export type WebhookState = { state: 'on' | 'off' | 'missing' } | { state: 'moved'; to: string };

/**
 * Finds the state of a source's webhook, as the shop reports it. Null if the key cannot see it, or if the answer has
 * another form.
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

  /**
   * Finds the origin to which the webhook's address redirects. Null if it does not redirect, or cannot be reached from
   * this server.
   */
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

/** Sentences for a webhook that the key cannot see. They name the page on which a person finds its state. */
export const unseenWebhook: Record<ShopSource['kind'], string> = {
  woocommerce:
    'Its user may not see webhooks, so look for yourself if the webhook is Active, under WooCommerce → Settings → Advanced → Webhooks.',
  stripe:
    'It may not read webhook endpoints, so look for yourself if the destination is on, under Workbench → Webhooks, or let the key read them.',
  shopify:
    'Shopify shows it no webhook of its own admin, so look for yourself if they are still there, under Settings → Notifications → Webhooks.',
};

/** Describes in one sentence what is wrong with a source's webhook. Null if no fault is known. */
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
