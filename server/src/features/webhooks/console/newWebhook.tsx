import { useConsole } from '../../../console/context.js';
import { Choice, plainText, refusedField } from '../../../console/parts/elements.js';
import { Form, Menu, NoForm } from '../../../console/parts/form.js';
import { hookEvents, hooksAtMost } from '../hook.js';
import { eventWords } from './deliveryWords.js';

/** A form that was not accepted: its fields, and the reason. */
export interface WebhookRefusal {
  form: Record<string, string>;
  hint: string;
}

/** The form for a new webhook, below its button. */
export function NewWebhook({ hooks, refusal }: { hooks: number; refusal: WebhookRefusal | null }) {
  const { session } = useConsole();
  if (session.isReadOnly) return <NoForm action="add or change webhooks" />;
  if (hooks >= hooksAtMost) return <small>A team can have {hooksAtMost} webhooks.</small>;
  const form = refusal?.form ?? (session.isDemo ? { test: 'yes' } : {});
  const isChosen = (event: string) => refusal === null || form[event] === 'yes';
  return (
    <Menu title="Add a webhook" isOpen={refusal !== null} isAtEnd>
      <li>
        <Form action="/webhooks" class="stack">
          <label for="url">Endpoint URL</label>
          <input
            id="url"
            name="url"
            type="url"
            required
            maxlength={2000}
            placeholder="https://shop.example/hooks"
            value={form.url}
            {...plainText}
            {...(refusal && refusedField('url-refusal'))}
          />
          {refusal && (
            <small id="url-refusal" role="alert">
              Not added: <bdi>{refusal.hint}</bdi>.
            </small>
          )}
          <Choice
            name="format"
            label="Format"
            chosen={form.format ?? 'standard'}
            choices={[
              ['standard', 'JSON (Standard Webhooks)'],
              ['slack', 'Text for Slack'],
            ]}
          />
          <fieldset>
            <legend>Events</legend>
            {hookEvents.map((event) => (
              <label title={event}>
                <input type="checkbox" name={event} value="yes" checked={isChosen(event)} />{' '}
                {eventWords[event]}
              </label>
            ))}
          </fieldset>
          <label>
            <input type="checkbox" name="test" value="yes" checked={form.test === 'yes'} /> Test orders only
          </label>
          <button type="submit">Add the webhook</button>
        </Form>
      </li>
    </Menu>
  );
}
