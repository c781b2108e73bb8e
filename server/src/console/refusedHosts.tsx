import { displayDomain, entriesAllowing } from '../teams/domains.js';
import type { Session } from './context.js';
import { formatTime } from './format.js';
import { FormToken } from './layout.js';
import type { Reader } from './reader.js';
import { describeRefusedKind, isOwnMachine } from './refusedWords.js';
import { Scroll } from './scroll.js';

/** When reports of a host were refused last, and why. */
export interface LastRefusal {
  host: string;
  reason: string;
  lastAt: Date;
}

/** As many as somebody looks at; anybody can name as many hosts as they like. */
const hostsShown = 10;

/** Parts the last refusals of hosts into those of each domain and those of no domain, the latest first. */
export function partRefusals(domains: readonly { domain: string }[], refusals: readonly LastRefusal[]) {
  const entries = new Set(domains.map(({ domain }) => domain));
  const ofDomain = new Map<string, LastRefusal>();
  const ofNone: LastRefusal[] = [];
  for (const refusal of refusals) {
    // Keys have no host, and past a bound hosts are counted together.
    if (refusal.host === '' || refusal.host === '*') continue;
    const entry = entriesAllowing(refusal.host).find((entry) => entries.has(entry));
    if (entry === undefined) ofNone.push(refusal);
    else if (refusal.lastAt > (ofDomain.get(entry)?.lastAt ?? 0)) ofDomain.set(entry, refusal);
  }
  return { ofDomain, ofNone: ofNone.slice(0, hostsShown) };
}

interface RefusedHostsProps {
  refusals: readonly LastRefusal[];
  base: string;
  session: Session;
  reader: Reader;
}

/** The hosts that are not among the domains and whose reports were refused, each with the button that allows it. */
export function RefusedHosts({ refusals, base, session, reader }: RefusedHostsProps) {
  if (refusals.length === 0) return null;
  return (
    <section>
      <h3 id="refused-hosts">Refused, for they are not among these</h3>
      <Scroll labelledBy="refused-hosts">
        <table>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Last refusal, these 30 days</th>
              <th scope="col">If it is yours</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ host, lastAt }) => (
              <tr>
                <th scope="row" class="long">
                  <bdi>{displayDomain(host)}</bdi>
                </th>
                <td>{formatTime(lastAt, reader)}</td>
                <td>
                  <AllowHost host={host} base={base} session={session} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function AllowHost({ host, base, session }: { host: string } & Pick<RefusedHostsProps, 'base' | 'session'>) {
  const { mend, fix } = describeRefusedKind({ reason: 'domain_not_allowed', host, field: '' }, new Set());
  if (mend !== 'allow') return <>{fix}</>;
  return (
    <form method="post" action={`${base}/console/refused/allow`} class="inline">
      <FormToken session={session} />
      <input type="hidden" name="host" value={host} />
      <label>
        <input type="checkbox" name="test" value="yes" checked={isOwnMachine(host) || session.isDemo} /> as a
        test
      </label>
      <button type="submit" class="small" aria-label={`Allow and store orders of ${displayDomain(host)}`}>
        Allow and store
      </button>
    </form>
  );
}
