import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Candidate } from './candidate.js';
import { type Costs, inTurn } from './inTurn.js';
import { count, ms, notify, ratio, row, us } from './table.js';

/** Waiting deliveries that are drained. */
const waiting = 100_000;
const lookEveryMs = 200;

/**
 * Prints the rate of new orders of a team without a hook, with one whose receiver answers immediately and with one whose
 * receiver never answers, in turn. Then prints the rate at which waiting deliveries of orders are drained. The receiver is
 * in this process, on the same cores.
 */
export async function measureHooks(
  { sql }: Candidate,
  teamUuid: string,
  rounds: number,
  measureOrders: () => Promise<Costs>,
): Promise<void> {
  // A host of its own for each, because a hanging request takes one of its host's places.
  const receivers = {
    fast: await startReceiver((response) => void response.end()),
    hanging: await startReceiver(() => {}),
  };
  const setHook = async (name: 'fast' | 'hanging' | null) => {
    await sql`delete from hook`;
    await sql`truncate hook_delivery`;
    if (name === null) return;
    await sql`
      insert into hook (team_id, id, url, events, is_test, format, secret, allows_private)
      values (${teamUuid}, gen_random_uuid(), ${receivers[name].url}, '{order.created}', false, 'standard',
        ${`whsec_${Buffer.alloc(32).toString('base64')}`}, true)`;
  };
  const withHook = (name: 'fast' | 'hanging' | null) => async () => {
    await setHook(name);
    return measureOrders();
  };

  await measureOrders();
  const measured = await inTurn(rounds, {
    none: withHook(null),
    fast: withHook('fast'),
    hanging: withHook('hanging'),
  });
  row('hooks, 64 connections', 'orders/s', 'of none', 'Node CPU', 'PostgreSQL', 'p50 ms', 'p99 ms');
  for (const [name, costs] of Object.entries(measured))
    row(
      name,
      count(costs.perSecond),
      ratio(costs.perSecond, measured.none.perSecond),
      us(costs.nodeUs),
      us(costs.databaseUs),
      ms(costs.p50Ms),
      ms(costs.p99Ms),
    );

  await setHook('fast');
  await sql`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
    select placed_order.team_id, gen_random_uuid(), hook.id, 'order.changed', placed_order.id, row_to_json(placed_order)
    from hook join placed_order using (team_id), generate_series(1, ${waiting}::int)
    limit ${waiting}`;
  const startMs = performance.now();
  for (let left = waiting; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    const [row] = await sql<[{ left: number }]>`
      select count(*)::int as left from hook_delivery where next_at is not null`;
    left = row.left;
  }
  const tookMs = performance.now() - startMs;
  notify(`${count(waiting)} waiting deliveries drained at ${count((waiting / tookMs) * 1000)} a second\n`);
  await setHook(null);
  for (const { close } of Object.values(receivers)) close();
}

async function startReceiver(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}
