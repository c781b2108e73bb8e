import type { Handler } from 'hono';
import { resendDelivery, resendFailed } from '../../hooks/sql/resendDelivery.js';
import { decodeId } from '../../values/ids.js';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { toWebhooks } from './postWebhook.js';
import { resendSpans } from './resendSpans.js';
import { readDeliveryPlace, writeDeliveryPlace } from './webhookQuery.js';

/** Time limit for one press of a button. The page says then that more are left. */
const resendForMs = 2_000;

/** `POST /console/webhooks/resend`: has one delivery sent again. */
export function postResend({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postResend(c) {
    const { form, session } = c.var;
    const place = readDeliveryPlace(form.delivery ?? '');
    if (!place) return toWebhooks(c, '');
    const isQueued = await ask(session.teamId, (sql) => resendDelivery(sql, session.teamId, place));
    const done = isQueued ? 'again' : 'soon';
    return c.redirect(`${c.var.home}/webhooks/${writeDeliveryPlace(place)}?done=${done}`, 303);
  };
}

/** `POST /console/webhooks/resend-failed`: has all deliveries of a webhook sent again that failed since some time. */
export function postResendFailed({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postResendFailed(c) {
    const { form, session, viewer } = c.var;
    const hookId = decodeId('hook', form.hook ?? '');
    const span = resendSpans.find(({ name }) => name === form.since);
    if (!hookId || !span) return toWebhooks(c, '');
    const since = new Date(viewer.now.getTime() - span.ms);
    const { deliveries, isMore } = await ask(session.teamId, (sql) =>
      resendFailed(sql, session.teamId, { hookId, since, untilMs: performance.now() + resendForMs }),
    );
    const parameters = new URLSearchParams({
      resent: String(deliveries),
      more: isMore ? '1' : '0',
    });
    return c.redirect(`${c.var.home}/webhooks?${parameters}`, 303);
  };
}
