import { describeRefusedKind } from '../../refused/refusedWords.js';
import { closestDomain, displayDomain } from '../../teams/domains.js';
import { useConsole } from '../context.js';
import { refusedField, Scroll } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatTime } from '../parts/formatTime.js';
import { type LastRefusal, type partRefusals, RefusedHosts } from '../refused/refusedHosts.js';
import type { OrderHostRow } from '../sql/orderFigures.js';
import { pastedCharacters } from './pastedDomain.js';

/** An allowed domain, and the time of the last order that a page of it reported. */
export interface ShownDomain {
  domain: string;
  isTest: boolean;
  lastOrderAt: Date | null;
}

/** Adds to each domain the last order of the hosts that it allows. A host counts for its closest domain alone. */
export function lastOrders(
  domains: readonly { domain: string; isTest: boolean }[],
  hosts: readonly OrderHostRow[],
): ShownDomain[] {
  const entries = new Set(domains.map(({ domain }) => domain));
  const last = new Map<string, Date>();
  for (const { host, lastOrderAt } of hosts) {
    const entry = closestDomain(host, entries);
    if (entry !== undefined && lastOrderAt > (last.get(entry) ?? 0)) last.set(entry, lastOrderAt);
  }
  return domains.map((row) => ({ ...row, lastOrderAt: last.get(row.domain) ?? null }));
}

/** A domain that was not added, and why. */
export interface DomainRefusal {
  domain: string;
  wantsTest: boolean;
  hint: string;
}

interface SetupDomainsProps {
  domains: ShownDomain[];
  /** The last refusals of each domain, and of hosts that are none. */
  refusals: ReturnType<typeof partRefusals>;
  refusal: DomainRefusal | null;
}

/** The setup page's part on domains: which are allowed, with their last order and refusal, and a form to allow one. */
export function SetupDomains({ domains, refusals, refusal }: SetupDomainsProps) {
  const { viewer } = useConsole();
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
                  <th scope="row" class="long">
                    {displayDomain(domain)}
                  </th>
                  <td>{isTest ? <span class="badge">test</span> : 'live'}</td>
                  <td>{lastOrderAt ? formatTime(lastOrderAt, viewer) : 'none'}</td>
                  <td class="long">
                    <LastRefusalOf last={refusals.ofDomain.get(domain)} />
                  </td>
                  <td>
                    <FoldedForm summary="Remove">
                      <p>Orders of its pages are refused then.</p>
                      <Form action="/domains/remove">
                        <input type="hidden" name="domain" value={domain} />
                        <button
                          type="submit"
                          class="outline secondary small"
                          aria-label={`Remove ${displayDomain(domain)}`}
                        >
                          Remove
                        </button>
                      </Form>
                    </FoldedForm>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <RefusedHosts refusals={refusals.ofNone} />
      <Form action="/domains">
        <label for="domain">Allow a domain</label>
        <input
          id="domain"
          name="domain"
          required
          maxlength={pastedCharacters}
          placeholder="shop.example or a page"
          value={refusal?.domain}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...(refusal && refusedField('refusal'))}
        />
        {refusal && (
          <small id="refusal" role="alert">
            Not added: {refusal.hint}.
          </small>
        )}
        <label>
          <input type="checkbox" name="test" value="yes" checked={refusal?.wantsTest} /> Its orders are tests,
          as they always are for localhost and private addresses
        </label>
        <button type="submit">Allow</button>
      </Form>
    </section>
  );
}

function LastRefusalOf({ last }: { last: LastRefusal | undefined }) {
  const { home, viewer } = useConsole();
  if (!last) return <>none</>;
  const { why } = describeRefusedKind({ ...last, field: '' }, new Set([last.host]));
  return (
    <>
      {formatTime(last.lastAt, viewer)}: <a href={`${home}/refused`}>{why}</a>
    </>
  );
}
