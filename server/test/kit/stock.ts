import { subcommand, withDatabase } from '../../src/commands/command.js';
import { renderPage } from '../../src/console/parts/layout.js';
import { createIdentifySender } from '../../src/core/teams/senders.js';
import type { Sql } from '../../src/database/connection/connect.js';
import type { Feature } from '../../src/host/host.js';
import type { Uuid } from '../../src/values/ids.js';
import { repeat } from '../../src/values/repeat.js';

/** A made-up feature. It counts sold items, and once a second the teams that sell. */
export const stock: Feature = {
  name: 'stock',
  install(host) {
    const sold = new Map<Uuid, number>();
    let teams = 0;
    host.command((program, { io }) => {
      subcommand(program, 'stock', 'Counts the teams that sell.', 'stock').action(
        withDatabase(io, async ({ sql }) => ({ json: { teams: await countTeams(sql) }, text: 'Counted.' })),
      );
    });
    host.listen(() => ({
      onReportsStored: (teamId, orders) => void sold.set(teamId, (sold.get(teamId) ?? 0) + orders.length),
    }));
    host.console.section({ at: 15, path: '/stock', title: 'Stock', icon: 'M4 4h16v16H4z' });
    host.console.pages((app) =>
      app.get('/stock', (c) => {
        const words = `Sold: ${sold.get(c.var.session.teamId) ?? 0}`;
        return renderPage(c, words, { title: 'Stock', here: 'Stock' });
      }),
    );
    host.server(({ senderCache, limitRate, pools, get, every }) => {
      const { requireKey } = createIdentifySender(senderCache, limitRate);
      get('/svc-api/v1/stock', async (exchange) => {
        const { teamId } = await requireKey(exchange);
        return { status: 200, body: JSON.stringify({ sold: sold.get(teamId) ?? 0, teams }) };
      });
      const look = async () => {
        teams = await countTeams(pools.background);
      };
      every('stock', (onFault) => repeat(1_000, look, { onFault, firstMs: 0 }));
    });
  },
};

async function countTeams(sql: Sql): Promise<number> {
  const [row] = await sql<[{ teams: number }]>`
    select count(distinct team_id)::int as teams from placed_order`;
  return row.teams;
}
