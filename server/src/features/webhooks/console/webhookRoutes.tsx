import { Hono } from 'hono';
import type { ConsoleContext, ConsoleEnv } from '../../../console/context.js';
import { counted } from '../../../console/parts/format.js';
import { renderPage, setFlash } from '../../../console/parts/layout.js';
import { showOnce } from '../../../console/parts/showOnce.js';
import { decodeId, encodeId } from '../../../values/ids.js';
import { hookEvents, parseNewHook } from '../hook.js';
import { disableHook, enableHook, type ListedHook, listHooks, removeHook } from '../sql/hook.js';
import { createTestDelivery, resendDelivery, resendFailed } from '../sql/resendDelivery.js';
import { addHook } from '../teamHooks.js';
import { loadWebhooks } from './loadWebhooks.js';
import type { WebhookRefusal } from './newWebhook.js';
import { type DeliveryName, readDeliveryName, webhookParameters, writeDeliveryName } from './webhookQuery.js';
import { Webhooks } from './webhooks.js';

/** Time limit of one press of the button that sends failed events again. */
const resendForMs = 2_000;

/** `GET …/webhooks`, and the forms that add and change a webhook and send events again. */
export function webhookRoutes(): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  async function render(c: ConsoleContext, refusal: WebhookRefusal | null) {
    c.status(refusal ? 400 : 200);
    return renderPage(c, <Webhooks {...(await loadWebhooks(c))} refusal={refusal} />, {
      title: 'Webhooks',
      here: 'Webhooks',
    });
  }

  app.get('/', (c) => render(c, null));
  // Redirects from the page that a delivery had until 0.3.0.
  app.get('/:delivery{msg_.+}', (c) => {
    const delivery = readDeliveryName(c.req.param('delivery'));
    return delivery ? toDelivery(c, delivery) : toWebhooks(c);
  });

  // Adds a webhook and shows its secret once, or shows why it cannot be added.
  app.post('/', async (c) => {
    const { form, query } = c.var;
    const format = form.format === 'slack' ? 'slack' : 'standard';
    const chosen = hookEvents.filter((event) => form[event] === 'yes');
    const parsed = parseNewHook({
      url: form.url ?? '',
      // By default the form selects all events. A webhook of Slack can only have two of them, so all means those two.
      events: format === 'slack' && chosen.length === hookEvents.length ? null : chosen,
      format,
      isTest: form.test === 'yes',
      allowsPrivate: false,
    });
    if ('hint' in parsed) return render(c, { form, hint: parsed.hint });
    const hook = await query(addHook, parsed);
    // The team has as many webhooks as it may have, because another browser has added the last one.
    if (!hook) return toWebhooks(c);
    if (hook.format === 'slack') return toWebhooks(c, 'The webhook is added.');
    return showOnce(c, {
      title: 'The new webhook',
      here: 'Webhooks',
      advice:
        'Copy its secret now: it is not shown again. With it the receiver checks that a call is yours. Put it among the secrets of that system, and never into a page.',
      secret: hook.secret,
      back: { path: '/webhooks', text: 'Webhooks' },
    });
  });

  app.post('/switch', async (c) => {
    const hook = await findNamedHook(c);
    if (!hook) return toWebhooks(c);
    if (c.var.form.on !== 'yes') {
      await c.var.query(disableHook, hook.id, null);
      return toWebhooks(c, 'The webhook is switched off. Nothing is sent until it is switched on again.');
    }
    await c.var.query(enableHook, hook.id);
    return toWebhooks(
      c,
      'The webhook is switched on. What waited is sent now. What happened while it was off is not sent.',
    );
  });

  app.post('/test', async (c) => {
    const hook = await findNamedHook(c);
    if (!hook) return toWebhooks(c);
    await c.var.query(createTestDelivery, hook.id);
    return toWebhooks(c, 'A test event is on its way. Reload the page to see its outcome.');
  });

  app.post('/remove', async (c) => {
    const id = decodeId('hook', c.var.form.hook ?? '');
    if (id) await c.var.query(removeHook, id);
    return toWebhooks(c, 'The webhook is removed.');
  });

  app.post('/resend', async (c) => {
    const { form, query, link } = c.var;
    const delivery = readDeliveryName(form.delivery ?? '');
    if (!delivery) return toWebhooks(c);
    const isQueued = await query(resendDelivery, delivery);
    setFlash(c, {
      words: isQueued
        ? 'It is sent again now. Reload the page in a moment to see the outcome.'
        : 'It is on its way already, or cannot be sent any more.',
    });
    const order = decodeId('ord', form.order ?? '');
    if (!order) return toDelivery(c, delivery);
    return c.redirect(`${link(`/orders/${encodeId('ord', order)}`)}#${writeDeliveryName(delivery)}`, 303);
  });

  // Sends all failed deliveries of a webhook again.
  app.post('/resend-failed', async (c) => {
    const { form, query, viewer } = c.var;
    const hookId = decodeId('hook', form.hook ?? '');
    if (!hookId) return toWebhooks(c);
    const untilMs = performance.now() + resendForMs;
    const { deliveries, isMore } = await query(resendFailed, { hookId, untilMs });
    if (deliveries === 0 && !isMore) return toWebhooks(c, 'No delivery has failed.');
    const sent = counted(deliveries, 'delivery is', viewer, 'deliveries are');
    return toWebhooks(c, `${sent} sent again.${isMore ? ' More are left: press again.' : ''}`);
  });
  return app;
}

/** Finds the webhook that a form names; undefined if the team has none, because another browser has removed it. */
async function findNamedHook(c: ConsoleContext): Promise<ListedHook | undefined> {
  const id = decodeId('hook', c.var.form.hook ?? '');
  const hooks = await c.var.queryOnce(listHooks);
  return hooks.find((hook) => hook.id === id);
}

/** Redirects to a delivery among the latest ones of its webhook. */
function toDelivery(c: ConsoleContext, delivery: DeliveryName): Response {
  const page = c.var.link('/webhooks', webhookParameters({ hookId: delivery.hookId, onlyFailed: false }));
  return c.redirect(`${page}#${writeDeliveryName(delivery)}`, 303);
}

function toWebhooks(c: ConsoleContext, words?: string): Response {
  if (words) setFlash(c, { words });
  return c.redirect(c.var.link('/webhooks'), 303);
}
