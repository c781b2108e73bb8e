import type { Check } from '../../site/checks/check.js';
import { useConsole } from '../context.js';
import { refusedField } from '../parts/elements.js';
import { Form, NoForm } from '../parts/form.js';
import type { AddressChecks } from './checkAddress.js';

/** The form that checks a page. */
export function PageCheckForm({ address = '', hint }: { address?: string; hint?: string | undefined }) {
  return (
    <Form action="/check">
      <label for="address">Address of a page with the tag</label>
      <input
        id="address"
        name="address"
        type="text"
        inputmode="url"
        required
        maxlength={2000}
        placeholder="https://shop.example/thanks"
        value={address.slice(0, 2000)}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        {...(hint && refusedField('hint'))}
      />
      {hint && (
        <small id="hint" role="alert">
          Not checked: {hint}.
        </small>
      )}
      <button type="submit">Check my page</button>
    </Form>
  );
}

/** The names of the checks for a merchant, and the part of Setup that fixes each. */
const words: Record<string, { name: string; part: string }> = {
  page: { name: 'The page', part: '' },
  tag: { name: 'The tag', part: 'tag' },
  script: { name: 'The script', part: 'tag' },
  endpoint: { name: 'The server', part: 'tag' },
  host: { name: 'The domain', part: 'domains' },
  policy: { name: 'The page’s security policy', part: '' },
};

/** The page that checks a page, with the results where there are any. */
export function PageCheck({ address, result }: { address: string; result: AddressChecks | null }) {
  const { base, home } = useConsole();
  const checks = result && 'checks' in result ? result.checks : [];
  const wrong = checks.filter(({ ok }) => !ok).length;
  return (
    <>
      <p>
        <a href={`${home}/setup`}>Back to the setup</a>
      </p>
      <h1>Check my page</h1>
      {checks.length > 0 && (
        <>
          <p role="status" class={`notice ${wrong === 0 ? 'good' : 'bad'}`}>
            {wrong === 0
              ? 'All is well. Place an order to be sure.'
              : `${wrong} of ${checks.length} checks found a problem.`}
          </p>
          <ul>
            {checks.map((check) => (
              <Result {...check} />
            ))}
          </ul>
        </>
      )}
      <PageCheckForm address={address} hint={result && 'hint' in result ? result.hint : undefined} />
      <NoForm action="check the page" />
      <p>
        <small>
          The server reads the page as a browser would, from the public internet. A tag that a tag manager
          adds is not in it. The guide says{' '}
          <a href={`${base}/docs/sdk/debugging`}>what to do when nothing arrives</a>.
        </small>
      </p>
    </>
  );
}

function Result({ check, ok, message, fix }: Check) {
  const { home } = useConsole();
  const { name, part } = words[check] ?? { name: check, part: '' };
  return (
    <li class="long">
      <strong>
        {name}: {ok ? 'fine' : 'a problem'}.
      </strong>{' '}
      <bdi>{message}</bdi>
      {fix !== null && (
        <>
          {' '}
          Fix: <bdi>{fix}</bdi> {part !== '' && <a href={`${home}/setup#${part}`}>Go there</a>}
        </>
      )}
    </li>
  );
}
