import { useConsole } from '../../../console/context.js';
import { plainText, refusedField } from '../../../console/parts/elements.js';
import { Action, Form } from '../../../console/parts/form.js';
import { formatSpan } from '../../../console/parts/format.js';
import { encodeId } from '../../../values/ids.js';
import { describeSync } from '../ask/syncSource.js';
import { unseenWebhook } from '../ask/webhookState.js';
import { providers } from '../providers.js';
import type { ListedSource } from '../sql/source.js';
import { ShopifyAppSteps } from './sourceSteps.js';

interface SourceAccessProps {
  source: ListedSource;
  /** Reason why a new API key was not saved; null if no key was refused. */
  hint: string | null;
}

/** The result of asking a source's shop, a button to ask it now, and the form of its API key. */
export function SourceAccess({ source, hint }: SourceAccessProps) {
  const { session, viewer } = useConsole();
  const id = encodeId('src', source.id);
  const { name } = providers[source.kind];
  const { apiKey, lastSync, syncedAt } = source;
  const isUnseen = lastSync?.fault === null && lastSync.webhook === null;
  return (
    <>
      {apiKey !== null && (
        <div class="body line">
          <p class="grow">
            {lastSync && syncedAt
              ? `${describeSync(lastSync)} Asked ${formatSpan(viewer.now.getTime() - syncedAt.getTime())} ago.`
              : `${name} is asked for its orders within a minute.`}
            {isUnseen && (
              <small> {`The key does not show if the webhook is on. ${unseenWebhook[source.kind]}`}</small>
            )}
          </p>
          <Action to="/setup/sources/sync" fields={{ source: id }} isSmall>
            Ask {name} now
          </Action>
        </div>
      )}
      {!session.isReadOnly && (
        <details open={hint !== null}>
          <summary>
            <small>
              {apiKey === null ? 'Find orders that no webhook brought' : `Replace the API key of ${name}`}
            </small>
          </summary>
          <AccessForm source={source} id={id} hint={hint} />
        </details>
      )}
    </>
  );
}

function AccessForm({ source, id, hint }: SourceAccessProps & { id: string }) {
  const { name, api } = providers[source.kind];
  return (
    <div class="body stack">
      <p>
        With a read-only key, {name} is asked for orders that are missing here: every day, within an hour when
        no event comes, and soon after the server was away or an event was refused.
        {source.kind !== 'shopify' && ` The key has the form ${api.keyForm}.`}
      </p>
      {source.kind === 'shopify' && <ShopifyAppSteps />}
      <Form action="/setup/sources/access" class="line">
        <input type="hidden" name="source" value={id} />
        {api.url === null && (
          <label class="grow">
            Address of the shop
            <input
              name="shopUrl"
              type="url"
              required
              value={source.shopUrl ?? ''}
              placeholder={source.kind === 'shopify' ? 'https://….myshopify.com' : 'https://shop.example'}
            />
          </label>
        )}
        {source.kind === 'shopify' && (
          <label class="grow">
            Client ID <small>left empty with the access token of an older app</small>
            <input name="clientId" maxlength={200} {...plainText} />
          </label>
        )}
        <label class="grow">
          {source.kind === 'shopify' ? 'Client secret, or access token' : 'API key'}
          <input
            name="apiKey"
            type="password"
            required
            maxlength={500}
            {...plainText}
            {...(hint !== null && refusedField(`access-${id}`))}
          />
          {hint !== null && (
            <small id={`access-${id}`} role="alert">
              Not saved: {hint}.
            </small>
          )}
        </label>
        <button type="submit" class="outline secondary">
          Save the key
        </button>
      </Form>
    </div>
  );
}
