import { providers } from '../../sources/providers.js';
import type { ListedSource } from '../../sources/sql/source.js';
import { describeSync } from '../../sources/syncSource.js';
import { encodeId } from '../../values/ids.js';
import { refusedField } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatSpan } from '../parts/formatTime.js';

interface SourceAccessProps {
  source: ListedSource;
  now: Date;
  /** The reason why a key was not saved; null for none. */
  hint: string | null;
}

/** The part of a source with what came of asking its shop, a button to ask it now, and the form of its API key. */
export function SourceAccess({ source, now, hint }: SourceAccessProps) {
  const id = encodeId('src', source.id);
  const { name, api } = providers[source.kind];
  const { apiKey, shopUrl, lastSync, syncedAt } = source;
  return (
    <>
      {apiKey !== null && (
        <Form action="/sources/sync">
          <input type="hidden" name="source" value={id} />
          <p>
            {lastSync && syncedAt
              ? `${describeSync(lastSync)} Asked ${formatSpan(now.getTime() - syncedAt.getTime())} ago.`
              : `${name} is asked for its orders within a minute.`}
          </p>
          <button type="submit" class="outline secondary small">
            Ask {name} now
          </button>
        </Form>
      )}
      <FoldedForm
        summary={apiKey === null ? `Find orders that no webhook brought` : `Replace the API key of ${name}`}
        open={hint !== null}
      >
        <p>
          With a read-only key, {name} is asked every day, and within an hour when no event comes, for orders
          that are missing here. The key has the form {api.keyForm}.
        </p>
        <Form action="/sources/access">
          <input type="hidden" name="source" value={id} />
          {api.url === null && (
            <>
              <label for={`shop-${id}`}>Address of the shop</label>
              <input
                id={`shop-${id}`}
                name="shopUrl"
                type="url"
                required
                value={shopUrl ?? ''}
                placeholder={source.kind === 'shopify' ? 'https://….myshopify.com' : 'https://shop.example'}
              />
            </>
          )}
          <label for={`api-key-${id}`}>API key</label>
          <input
            id={`api-key-${id}`}
            name="apiKey"
            type="password"
            required
            maxlength={500}
            autocomplete="off"
            {...(hint !== null && refusedField(`access-${id}`))}
          />
          {hint !== null && (
            <small id={`access-${id}`} role="alert">
              Not saved: {hint}.
            </small>
          )}
          <button type="submit" class="secondary">
            Save the key
          </button>
        </Form>
      </FoldedForm>
    </>
  );
}
