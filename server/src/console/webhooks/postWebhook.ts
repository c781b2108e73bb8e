import type { Handler } from 'hono';
import { hookEvents, parseNewHook } from '../../hooks/hook.js';
import { disableHook, enableHook, type ListedHook, listHooks } from '../../hooks/sql/hook.js';
import { createTestDelivery } from '../../hooks/sql/resendDelivery.js';
import { addHook, removeHook } from '../../hooks/teamHooks.js';
import { decodeId } from '../../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { showOnce } from '../setup/showOnce.js';
import { renderWebhooks } from './getWebhooks.js';
import type { WebhookOutcome } from './webhookFlash.js';

/** Time limit for one press of the button that removes a webhook with its deliveries: some 300,000 of them. */
const removeForMs = 5_000;

/** `POST /console/webhooks`: adds a webhook and shows its secret, once, or shows why it cannot be added. */
export function postNewWebhook(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postNewWebhook(c) {
    const { form, session } = c.var;
    const format = form.format === 'slack' ? 'slack' : 'standard';
    const chosen = hookEvents.filter((event) => form[event] === 'yes');
    const parsed = parseNewHook({
      url: form.url ?? '',
      // All of the form's events are chosen unless somebody takes some away, and a webhook of Slack has only two.
      events: format === 'slack' && chosen.length === hookEvents.length ? null : chosen,
      format,
      isTest: form.test === 'yes',
      allowsPrivate: false,
    });
    if ('hint' in parsed) return renderWebhooks(c, deps, { form, hint: parsed.hint });
    const hook = await deps.ask(session.teamId, (sql) => addHook(sql, session.teamId, parsed));
    // Another browser has added the last one.
    if (!hook) return toWebhooks(c, '');
    if (hook.format === 'slack') return toWebhooks(c, 'added');
    return showOnce(c, {
      title: 'The new webhook',
      here: 'Webhooks',
      advice:
        'Copy its secret now: it is not shown again. With it the receiver checks that a call is yours. Put it among the secrets of that system, and never into a page.',
      secret: hook.secret,
      back: { path: '/webhooks', words: 'webhooks' },
    });
  };
}

/** `POST /console/webhooks/switch`: switches a webhook on or off, which another browser may have done already. */
export function postWebhookSwitch(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postWebhookSwitch(c) {
    const { form, session } = c.var;
    const hook = await findNamedHook(c, deps);
    if (!hook) return toWebhooks(c, '');
    const isOn = form.on === 'yes';
    await deps.ask(session.teamId, (sql) =>
      isOn ? enableHook(sql, session.teamId, hook.id) : disableHook(sql, session.teamId, hook.id, null),
    );
    return toWebhooks(c, isOn ? 'on' : 'off');
  };
}

/** `POST /console/webhooks/test`: queues a test event. */
export function postWebhookTest(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postWebhookTest(c) {
    const hook = await findNamedHook(c, deps);
    if (!hook) return toWebhooks(c, '');
    await deps.ask(c.var.session.teamId, (sql) => createTestDelivery(sql, c.var.session.teamId, hook.id));
    return toWebhooks(c, 'tested');
  };
}

/** Finds the webhook that a form names; undefined where the team has none, because another browser has removed it. */
async function findNamedHook(c: ConsoleContext, { ask }: ConsoleDeps): Promise<ListedHook | undefined> {
  const id = decodeId('hook', c.var.form.hook ?? '');
  const hooks = await ask(c.var.session.teamId, (sql) => listHooks(sql, c.var.session.teamId));
  return hooks.find((hook) => hook.id === id);
}

/** `POST /console/webhooks/remove`: removes a webhook, which another browser may have removed already. */
export function postWebhookRemoval({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postWebhookRemoval(c) {
    const { form, session } = c.var;
    const id = decodeId('hook', form.hook ?? '');
    const untilMs = performance.now() + removeForMs;
    const isGone = !id || (await ask(session.teamId, (sql) => removeHook(sql, session.teamId, id, untilMs)));
    return toWebhooks(c, isGone ? 'removed' : 'removing');
  };
}

/** Leads back to the webhooks, which say what was done. */
export function toWebhooks(c: ConsoleContext, done: WebhookOutcome | ''): Response {
  return c.redirect(`${c.var.home}/webhooks${done && `?done=${done}`}`, 303);
}
