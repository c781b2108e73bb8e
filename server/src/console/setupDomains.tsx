import { displayDomain, entriesAllowing } from '../teams/domains.js';
import type { Session } from './context.js';
import { formatTime } from './format.js';
import { FormToken } from './layout.js';
import type { Reader } from './reader.js';
import { type LastRefusal, type partRefusals, RefusedHosts } from './refusedHosts.js';
import { describeRefusedKind } from './refusedWords.js';
import { Scroll } from './scroll.js';
import type { OrderHostRow } from './sql/orderFigures.js';

/** An allowed domain, and when a page of it has reported an order last. */
export interface ShownDomain {
  domain: string;
  isTest: boolean;
  lastOrderAt: Date | null;
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

interface SetupDomainsProps {
  base: string;
  session: Session;
  reader: Reader;
  domains: ShownDomain[];
  /** The last refusals of each domain, and of hosts that are none. */
  refusals: ReturnType<typeof partRefusals>;
  /** A domain that was not added, and why. */
  refusal: { domain: string; hint: string } | null;
}

/** The setup page's part on domains: which are allowed, with their last order and refusal, and a form to allow one. */
export function SetupDomains({ base, session, reader, domains, refusals, refusal }: SetupDomainsProps) {
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

interface RefusalProps extends Pick<SetupDomainsProps, 'base' | 'reader'> {
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
