import { command } from '../../site/checks/check.js';
import type { listKeys } from '../../teams/sql/apiKey.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { KeyCells, Scroll } from '../parts/elements.js';
import { formatTime } from '../parts/formatTime.js';

/** The setup page's part on API keys. */
export function SetupKeys({ keys }: { keys: Awaited<ReturnType<typeof listKeys>> }) {
  const { viewer, session } = useConsole();
  return (
    <section>
      <h2 id="keys">API keys</h2>
      <p>
        For your backend. Its reports take precedence over those of pages. On the server,{' '}
        <code>
          {command} key create --team {encodeId('team', session.teamId)}
        </code>{' '}
        makes one and shows it once.
      </p>
      {keys.length === 0 ? (
        <p class="notice">This team has no key.</p>
      ) : (
        <Scroll labelledBy="keys">
          <table>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">For</th>
                <th scope="col">Its orders are</th>
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col">Revoked</th>
              </tr>
            </thead>
            <tbody>
              {keys.map(({ name, mode, lastFour, createdAt, lastUsedAt, revokedAt }) => (
                <tr>
                  <KeyCells {...{ lastFour, name, createdAt }} isTest={mode === 'test'} />
                  <td>{lastUsedAt ? formatTime(lastUsedAt, viewer) : 'never'}</td>
                  <td>{revokedAt ? formatTime(revokedAt, viewer) : 'no'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
