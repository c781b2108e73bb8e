import type { Child } from 'hono/jsx';
import { describeRefusedKind } from '../../refused/refusedWords.js';
import { closestDomain, displayHost } from '../../teams/domains.js';
import { Time } from '../parts/elements.js';
import { Table } from '../parts/table.js';
import { AllowHost } from '../refused/allowHost.js';

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
  return (
    <Table
      rows={refusals}
      columns={[
        {
          head: 'Host',
          class: 'title long',
          isName: true,
          cell: ({ host }) => <bdi>{displayHost(host)}</bdi>,
        },
        { head: 'Last refusal', class: 'number time', cell: ({ lastAt }) => <Time at={lastAt} /> },
        { head: 'If it is yours', class: 'number rest', cell: ({ host }) => allowOrAdvise(host) },
      ]}
    />
  );
}

function allowOrAdvise(host: string): Child {
  const kind = { reason: 'domain_not_allowed', host, field: '' };
  const { fix, advice } = describeRefusedKind(kind, new Set());
  return fix === 'allow' ? <AllowHost kind={kind} reports={null} /> : advice;
}
