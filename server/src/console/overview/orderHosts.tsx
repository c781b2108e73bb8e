import { displayDomain } from '../../teams/domains.js';
import { useConsole } from '../context.js';
import { Scroll, Time } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';
import { formatSpan } from '../parts/formatTime.js';
import type { Viewer } from '../parts/viewer.js';
import type { OrderHostRow } from '../sql/orderFigures.js';

/** A host that orders came from. */
export interface ShownHost extends OrderHostRow {
  /** Orders, on average. */
  usualPerHour: number;
}

/** Hosts in the table. */
const hostsShown = 20;

interface OrderHostsProps {
  hosts: ShownHost[];
  now: Date;
  mode: 'live' | 'test';
}

/** The overview's table of the hosts that orders came from, with the time since the last one: it shows a broken page. */
export function OrderHosts({ hosts, now, mode }: OrderHostsProps) {
  const { viewer } = useConsole();
  if (hosts.length === 0) return null;
  return (
    <section>
      <h2 id="hosts">Hosts of {mode} orders, these 7 days</h2>
      <Scroll labelledBy="hosts">
        <table>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Last order</th>
              <th scope="col">Silent for</th>
              <th scope="col" class="number">
                Usually an hour
              </th>
            </tr>
          </thead>
          <tbody>
            {hosts.slice(0, hostsShown).map(({ host, lastOrderAt, usualPerHour }) => (
              <tr>
                <th scope="row" class="long">
                  {host === '' ? 'no page, only keys' : displayDomain(host)}
                </th>
                <td>
                  <Time at={lastOrderAt} />
                </td>
                <td>{formatSpan(now.getTime() - lastOrderAt.getTime())}</td>
                <td class="number">{formatRate(usualPerHour, viewer)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {hosts.length > hostsShown && <p>Orders came from more hosts than these.</p>}
    </section>
  );
}

function formatRate(perHour: number, viewer: Viewer): string {
  if (perHour < 1) return 'less than 1';
  return formatNumber(perHour < 10 ? Math.round(perHour * 10) / 10 : Math.round(perHour), viewer);
}
