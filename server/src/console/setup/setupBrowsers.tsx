import type { ListedConsoleSession } from '../../teams/sql/consoleSession.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Choice, Scroll, Time } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';

/** Browsers that are listed: the newest. */
const shownAtMost = 100;

/** The setup page's part on the browsers that are signed in, with a form that makes a link for a colleague. */
export function SetupBrowsers({ browsers }: { browsers: readonly ListedConsoleSession[] }) {
  const { session } = useConsole();
  return (
    <section>
      <h2 id="browsers">Signed-in browsers</h2>
      <Scroll labelledBy="browsers">
        <table>
          <thead>
            <tr>
              <th scope="col">Signed in</th>
              <th scope="col">Last seen</th>
              <th scope="col">May</th>
              <th scope="col">Sign out</th>
            </tr>
          </thead>
          <tbody>
            {browsers.slice(0, shownAtMost).map((browser) => (
              <Browser {...browser} isThis={browser.hash === session.hash} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {browsers.length > shownAtMost && <p>The newest {shownAtMost} are listed.</p>}
      <Form action="/links">
        <Choice
          name="may"
          label="A colleague may"
          chosen="look"
          choices={[
            ['look', 'look only'],
            ['all', 'see and change everything'],
          ]}
        />
        <button type="submit">Make a link for a colleague</button>
      </Form>
      <FoldedForm summary="Sign out all browsers">
        <p>
          This one too, and links that nobody has used end. To come back, you need a new link from whoever
          runs your server.
        </p>
        <Form action="/sessions/revoke">
          <input type="hidden" name="browser" value="all" />
          <button type="submit" class="outline secondary">
            Sign out all browsers and end unused links
          </button>
        </Form>
      </FoldedForm>
    </section>
  );
}

function Browser({
  id,
  isReadOnly,
  isThis,
  createdAt,
  lastSeenAt,
}: ListedConsoleSession & { isThis: boolean }) {
  const name = encodeId('ses', id);
  return (
    <tr>
      <th scope="row">
        <Time at={createdAt} /> {isThis && <span class="badge">this browser</span>}
      </th>
      <td>
        <Time at={lastSeenAt} />
      </td>
      <td>{isReadOnly ? 'look only' : 'change everything'}</td>
      <td>
        <Form action="/sessions/revoke" class="inline">
          <input type="hidden" name="browser" value={name} />
          <button type="submit" class="outline secondary small" aria-label={`Sign out ${name}`}>
            Sign out
          </button>
        </Form>
      </td>
    </tr>
  );
}
