import type { Check } from '../../../commands/check.js';
import { useConsole } from '../../../console/context.js';
import { plainText, refusedField } from '../../../console/parts/elements.js';
import { Form, NoForm } from '../../../console/parts/form.js';
import { counted } from '../../../console/parts/format.js';
import { Guide } from '../../../console/parts/guide.js';
import { Notice, Panel } from '../../../console/parts/panel.js';
import { Timeline } from '../../../console/parts/timeline.js';
import type { AddressChecks } from './checkAddress.js';

/** A checked page, and the results. */
export interface CheckedPage {
  address: string;
  result: AddressChecks;
}

/** The name of each check for a merchant, and the page on which it can be fixed. */
const words: Record<string, { name: string; path?: string }> = {
  page: { name: 'The page' },
  tag: { name: 'The tag', path: '/setup/install#tag' },
  order: { name: 'The order', path: '/setup/install#tag' },
  script: { name: 'The script', path: '/setup/install#tag' },
  endpoint: { name: 'The server', path: '/setup/install#tag' },
  host: { name: 'The domain', path: '/setup/domains' },
  policy: { name: 'The page’s security policy' },
};

/** The form that checks a page, and the results of the last check. */
export function PageCheck({ checked }: { checked: CheckedPage | null }) {
  const { viewer } = useConsole();
  const hint = checked && 'hint' in checked.result ? checked.result.hint : null;
  const checks = checked && 'checks' in checked.result ? checked.result.checks : [];
  const wrong = checks.filter(({ ok }) => !ok).length;
  const isNoted = checks.some(({ ok, fix }) => ok && fix !== null);
  return (
    <Panel
      id="check"
      title="3. Check my page"
      beside={<small>The server reads the page as a browser would.</small>}
    >
      <Form action="/setup/install/check#check" class="body line">
        <label class="grow">
          <span class="hidden">Address of a page with the tag</span>
          <input
            name="address"
            type="text"
            inputmode="url"
            required
            maxlength={2000}
            placeholder="https://shop.example/thanks"
            value={checked?.address.slice(0, 2000)}
            {...plainText}
            {...(hint !== null && refusedField('hint'))}
          />
        </label>
        <button type="submit">Check my page</button>
      </Form>
      <NoForm action="check the page" />
      {hint !== null && (
        <p id="hint" role="alert" class="body">
          Not checked: {hint}.
        </p>
      )}
      {checks.length > 0 && (
        <div class="body stack">
          <Notice tone={wrong === 0 ? 'good' : 'bad'} role="status">
            {wrong === 0
              ? `All checks passed. ${isNoted ? 'Read the note below.' : 'Place an order to be sure.'}`
              : `${counted(wrong, 'check', viewer)} failed.`}
          </Notice>
          <Timeline
            label="Checks"
            steps={checks.map((check) => ({
              title: `${words[check.check]?.name ?? check.check}: ${!check.ok ? 'failed' : check.fix === null ? 'fine' : 'a note'}`,
              tone: check.ok ? 'good' : 'bad',
              content: <Result {...check} />,
            }))}
          />
        </div>
      )}
      <footer>
        <small>
          A tag that a tag manager adds is not in the page’s HTML.{' '}
          <Guide to="sdk/debugging">What to do when nothing arrives</Guide>
        </small>
      </footer>
    </Panel>
  );
}

function Result({ check, ok, message, fix }: Check) {
  const { link } = useConsole();
  const path = words[check]?.path;
  return (
    <>
      <bdi>{message}</bdi>
      {fix !== null && (
        <>
          {' '}
          {ok ? 'Note' : 'Fix'}: <bdi>{fix}</bdi> {path && <a href={link(path)}>Go there</a>}
        </>
      )}
    </>
  );
}
