import { describeRefusedKind } from '../../refused/refusedWords.js';
import { closestDomain, displayDomain } from '../../teams/domains.js';
import { useConsole } from '../context.js';
import { Scroll } from '../parts/elements.js';
import { formatTime } from '../parts/formatTime.js';
import { AllowHost } from './allowHost.js';

/** The time and reason of a host's last refusal. */
export interface LastRefusal {
  host: string;
  reason: string;
  lastAt: Date;
}

/** Anyone can report from any number of hosts. */
const hostsShown = 10;

/** Splits the last refusals of hosts into those of each domain and those of no domain, the latest first. */
export function partRefusals(domains: readonly { domain: string }[], refusals: readonly LastRefusal[]) {
  const entries = new Set(domains.map(({ domain }) => domain));
  const ofDomain = new Map<string, LastRefusal>();
  const ofNone: LastRefusal[] = [];
  for (const refusal of refusals) {
    // Keys have no host. Past a bound, hosts are counted together as `*`.
    if (refusal.host === '' || refusal.host === '*') continue;
    const entry = closestDomain(refusal.host, entries);
    if (entry === undefined) ofNone.push(refusal);
    else if (refusal.lastAt > (ofDomain.get(entry)?.lastAt ?? 0)) ofDomain.set(entry, refusal);
  }
  return { ofDomain, ofNone: ofNone.slice(0, hostsShown) };
}

/** The hosts that are not among the domains and whose reports were refused, each with the button that allows it. */
export function RefusedHosts({ refusals }: { refusals: readonly LastRefusal[] }) {
  const { viewer } = useConsole();
  if (refusals.length === 0) return null;
  return (
    <section>
      <h3 id="refused-hosts">Refused because they are not among these</h3>
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
                <td>{formatTime(lastAt, viewer)}</td>
                <AllowOrAdvise host={host} />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function AllowOrAdvise({ host }: { host: string }) {
  const kind = { reason: 'domain_not_allowed', host, field: '' };
  const { fix, advice } = describeRefusedKind(kind, new Set());
  return <td>{fix === 'allow' ? <AllowHost kind={kind} class="small" /> : advice}</td>;
}
