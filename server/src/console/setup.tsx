import { displayDomain, entriesAllowing } from '../domains.js';
import type { listKeys } from '../sql/listKeys.js';
import type { OrderHostRow } from '../sql/listOrderHosts.js';
import type { ShownOrderRow } from '../sql/pageOrders.js';
import type { RefusedRow } from '../sql/refusedReport.js';
import type { SeenSdkVersion } from '../sql/sdkVersions.js';
import type { Session } from './context.js';
import { formatTime } from './format.js';
import { FormToken } from './layout.js';
import { OrderTable } from './orderRows.js';
import type { Reader } from './reader.js';
import { type LastRefusal, type partRefusals, RefusedHosts } from './refusedHosts.js';
import { RefusedNow } from './refusedNow.js';
import { describeRefusedKind } from './refusedWords.js';
import { Scroll } from './scroll.js';

/** An allowed domain, and when a page of it has reported an order last. */
interface ShownDomain {
  domain: string;
  isTest: boolean;
  lastOrderAt: Date | null;
}

interface SetupProps {
  base: string;
  reader: Reader;
  session: Session;
  now: Date;
  tag: string;
  /** The first line of the tag, pinned to this server's version. */
  pinned: string;
  domains: ShownDomain[];
  keys: Awaited<ReturnType<typeof listKeys>>;
  /** The versions of the SDK that stored orders lately. */
  versions: SeenSdkVersion[];
  /** The newest orders. */
  orders: ShownOrderRow[];
  /** The last refusals of each domain, and of hosts that are none. */
  refusals: ReturnType<typeof partRefusals>;
  /** The newest refused reports. */
  refused: RefusedRow[];
  refusal: { domain: string; hint: string } | null;
}

/** Gives each domain the last order of the hosts that it is the one to allow. */
export function lastOrders(
  domains: readonly { domain: string; isTest: boolean }[],
  hosts: readonly OrderHostRow[],
): ShownDomain[] {
  const entries = new Set(domains.map(({ domain }) => domain));
  const last = new Map<string, Date>();
  for (const { host, lastOrderAt } of hosts) {
    const entry = host === '' ? undefined : entriesAllowing(host).find((entry) => entries.has(entry));
    if (entry !== undefined && lastOrderAt > (last.get(entry) ?? 0)) last.set(entry, lastOrderAt);
  }
  return domains.map((row) => ({ ...row, lastOrderAt: last.get(row.domain) ?? null }));
}

/** The content of the setup page. */
export function Setup(props: SetupProps) {
  return (
    <>
      <h1>Setup</h1>
      <Tag {...props} />
      <Domains {...props} />
      <TryIt {...props} />
      <Keys {...props} />
    </>
  );
}

function Tag({ tag, pinned, versions, reader }: SetupProps) {
  return (
    <section>
      <h2 id="tag">1. The tag</h2>
      <p>
        Put this into your order confirmation page, and let your shop fill in the order. Give every order its{' '}
        <code>orderId</code>: by it a reloaded page is no second order.
      </p>
      <pre data-copy tabindex={0}>
        {tag}
      </pre>
      <details>
        <summary>Pinned to this version</summary>
        <p>This line in place of the first one: the browser runs no other file than this one.</p>
        <pre data-copy tabindex={0}>
          {pinned}
        </pre>
      </details>
      {versions.length > 0 && (
        <p>
          Versions of the script that reported orders these 30 days:{' '}
          {versions.map(({ version, lastSeenAt }, at) => (
            <>
              {at > 0 && ', '}
              <bdi>{version}</bdi> (last {formatTime(lastSeenAt, reader)})
            </>
          ))}
          . Times are to the hour.
        </p>
      )}
    </section>
  );
}

function Domains({ base, session, reader, domains, refusals, refusal }: SetupProps) {
  return (
    <section>
      <h2 id="domains">2. The domains of your pages</h2>
      <p>
        Orders count only from these. <code>shop.example</code> includes <code>www.shop.example</code>;{' '}
        <code>*.shop.example</code> includes every subdomain.
      </p>
      {domains.length === 0 ? (
        <p class="notice">No domain is allowed yet, so every order of a page is refused. Add yours.</p>
      ) : (
        <Scroll labelledBy="domains">
          <table>
            <thead>
              <tr>
                <th scope="col">Domain</th>
                <th scope="col">Its orders are</th>
                <th scope="col">Last order, these 30 days</th>
                <th scope="col">Last refusal, these 30 days</th>
                <th scope="col">Remove</th>
              </tr>
            </thead>
            <tbody>
              {domains.map(({ domain, isTest, lastOrderAt }) => (
                <tr>
                  <th scope="row">{displayDomain(domain)}</th>
                  <td>{isTest ? <span class="badge">test</span> : 'live'}</td>
                  <td>{lastOrderAt ? formatTime(lastOrderAt, reader) : 'none'}</td>
                  <td>
                    <Refusal last={refusals.ofDomain.get(domain)} base={base} reader={reader} />
                  </td>
                  <td>
                    <form method="post" action={`${base}/console/domains/remove`} class="inline">
                      <FormToken session={session} />
                      <input type="hidden" name="domain" value={domain} />
                      <button
                        type="submit"
                        class="outline secondary small"
                        aria-label={`Remove ${displayDomain(domain)}`}
                      >
                        Remove
                      </button>
                    </form>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <RefusedHosts refusals={refusals.ofNone} base={base} session={session} reader={reader} />
      <form method="post" action={`${base}/console/domains`}>
        <FormToken session={session} />
        <label for="domain">Allow a domain</label>
        <input
          id="domain"
          name="domain"
          required
          maxlength={255}
          placeholder="shop.example"
          value={refusal?.domain}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...(refusal && { 'aria-invalid': 'true', 'aria-describedby': 'refusal' })}
        />
        {refusal && (
          <small id="refusal" role="alert">
            Not added: {refusal.hint}.
          </small>
        )}
        <label>
          <input type="checkbox" name="test" value="yes" /> Its orders are tests, as on your own machine
        </label>
        <button type="submit">Allow</button>
      </form>
    </section>
  );
}

interface RefusalProps extends Pick<SetupProps, 'base' | 'reader'> {
  last: LastRefusal | undefined;
}

function Refusal({ last, base, reader }: RefusalProps) {
  if (!last) return <>none</>;
  const { why } = describeRefusedKind({ ...last, field: '' }, new Set([last.host]));
  return (
    <>
      {formatTime(last.lastAt, reader)}: <a href={`${base}/console/refused`}>{why}</a>
    </>
  );
}

function TryIt({ base, reader, orders, refused, now }: SetupProps) {
  return (
    <section>
      <h2 id="try">3. Try it</h2>
      <p>Open your page now, and place an order. It appears here within a second or two, refused or not.</p>
      <p id="live" role="status" data-since={now.getTime()}>
        Reload this page to see new orders.
      </p>
      <RefusedNow entries={refused} base={base} reader={reader} now={now} heading="h3" />
      <p id="none" class="notice" hidden={orders.length > 0}>
        No orders yet. If yours does not come, add <code>data-debug</code> to the tag, and read the page’s
        console.
      </p>
      <Scroll labelledBy="try">
        <OrderTable orders={orders} base={base} reader={reader} live={`${base}/console/live`} />
      </Scroll>
    </section>
  );
}

function Keys({ keys, reader }: SetupProps) {
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
