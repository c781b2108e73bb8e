import type { listKeys } from '../teams/sql/apiKey.js';
import { formatTime } from './format.js';
import type { Reader } from './reader.js';
import { Scroll } from './scroll.js';

interface SetupKeysProps {
  reader: Reader;
  keys: Awaited<ReturnType<typeof listKeys>>;
}

/** The setup page's part on API keys. */
export function SetupKeys({ keys, reader }: SetupKeysProps) {
  return (
    <section>
      <h2 id="keys">API keys</h2>
      <p>
        For your backend, which is believed over pages. On the server,{' '}
        <code>node_modules/.bin/orderbeacon key create --team …</code> makes one and shows it once.
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
                  <th scope="row">
                    <code>…{lastFour}</code>
                  </th>
                  <td>
                    <bdi>{name}</bdi>
                  </td>
                  <td>{mode === 'test' ? <span class="badge">test</span> : 'live'}</td>
                  <td>{formatTime(createdAt, reader)}</td>
                  <td>{lastUsedAt ? formatTime(lastUsedAt, reader) : 'never'}</td>
                  <td>{revokedAt ? formatTime(revokedAt, reader) : 'no'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
