import { hookEvents, hooksAtMost } from '../../hooks/hook.js';
import { useConsole } from '../context.js';
import { Choice, refusedField } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { eventWords } from './deliveryWords.js';

/** A form that was not accepted: its fields, and the reason. */
export interface WebhookRefusal {
  form: Record<string, string>;
  hint: string;
}

interface NewWebhookProps {
  hooks: number;
  refusal: WebhookRefusal | null;
}

/** The form that adds a webhook. It is folded where the team has one. */
export function NewWebhook({ hooks, refusal }: NewWebhookProps) {
  const { session } = useConsole();
  if (hooks >= hooksAtMost)
    return <p>A team can have {hooksAtMost} webhooks. Remove one before you add another.</p>;
  const form = refusal?.form ?? (session.isDemo ? { test: 'yes' } : {});
  const isChosen = (event: string) => refusal === null || form[event] === 'yes';
  return (
    <FoldedForm summary="Add a webhook" open={hooks === 0 || refusal !== null}>
      <Form action="/webhooks">
        <label for="url">URL that is called</label>
        <input
          id="url"
          name="url"
          type="url"
          required
          maxlength={2000}
          placeholder="https://shop.example/hooks"
          value={form.url}
          autocomplete="off"
          spellcheck={false}
          {...(refusal && refusedField('url-refusal'))}
        />
        {refusal && (
          <small id="url-refusal" role="alert">
            Not added: <bdi>{refusal.hint}</bdi>.
          </small>
        )}
        <Choice
          name="format"
          label="It expects"
          chosen={form.format ?? 'standard'}
          choices={[
            ['standard', 'JSON (Standard Webhooks)'],
            ['slack', 'Text for Slack'],
          ]}
        />
        <p>
          <small>Slack gets a line of text when orders stop and when reports begin to be refused.</small>
        </p>
        <fieldset>
          <legend>It is told of</legend>
          {hookEvents.map((event) => (
            <label>
              <input type="checkbox" name={event} value="yes" checked={isChosen(event)} />{' '}
              <code>{event}</code>: {eventWords[event]}
            </label>
          ))}
        </fieldset>
        <label>
          <input type="checkbox" name="test" value="yes" checked={form.test === 'yes'} /> It is told of test
          orders, and of no live ones
        </label>
        <button type="submit">Add the webhook</button>
      </Form>
    </FoldedForm>
  );
}
