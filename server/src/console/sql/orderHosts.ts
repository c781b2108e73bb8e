import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Time of the last order that the pages of one host have reported. */
export interface OrderHostRow {
  /** Empty for orders that only API keys have reported. */
  host: string;
  lastOrderAt: Date;
}

/**
 * Lists up to 200 hosts of a team's orders since a time, the latest order first. Hosts that are allowed by name come before
 * subdomains: below a wildcard, a page can make up any number of those.
 */
export function listOrderHosts(sql: Sql, teamId: Uuid, since: Date) {
  return sql<OrderHostRow[]>`/* listOrderHosts */
    select host, "lastOrderAt"
    from (
      select coalesce(host, '') as host, max(created_at) as "lastOrderAt"
      from placed_order
      where team_id = ${teamId} and created_at >= ${since}
      group by 1
    ) counted
    order by exists (
      select from domain where team_id = ${teamId} and entry in (host, regexp_replace(host, '^www[.]', ''))
    ) desc, 2 desc
    limit 200`;
}
