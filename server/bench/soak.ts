import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCandidate } from './candidate.js';
import { growthOf } from './growth.js';
import { makeFolder } from './makeFolder.js';
import { shareOfMemory } from './memory.js';
import type { BenchOptions } from './options.js';
import { createSoakShop } from './soakShop.js';
import { count, notify, row } from './table.js';
import type { Verdict } from './verdict.js';

const minutesByDefault = 40;
/** Purchases a second: a steady rate, far below what the machine can do. */
const purchasesPerSecond = 8;
const samplesPerMinute = 6;
const growthAtMost = 1.25;
const connectionsAtMost = 31;
const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** One sample of the figures. Six are taken a minute. */
interface Sample {
  nodeBytes: number;
  postgresBytes: number;
  connections: number;
  orders: number;
  tableBytes: number;
  indexBytes: number;
  logLines: number;
}

/**
 * Runs a server for some minutes under a steady shop: orders, repeats, refunds, a source, webhooks and an open console. Prints
 * the growing figures each minute. `npm run bench -- soak 5` takes five minutes; default: 40.
 */
export async function runSoak({ parts }: BenchOptions, { promise, figure }: Verdict): Promise<void> {
  const minutes = Number(parts[0] ?? minutesByDefault);
  const folder = await makeFolder('soak');
  const candidate = await startCandidate(join(folder, 'data'));
  const { server, sql, teamId } = candidate;
  const postmaster = candidate.databasePid;
  const shop = await createSoakShop(candidate);
  let lastLine = '';

  /** Counts the lines of the log since the last call. */
  function countLines(): number {
    const lines = server.output().trimEnd().split('\n');
    const fresh = lines.slice(lines.lastIndexOf(lastLine) + 1);
    lastLine = lines.at(-1)!;
    return fresh.length;
  }

  async function look(): Promise<Sample> {
    const [sizes] = await sql<Omit<Sample, 'nodeBytes' | 'postgresBytes' | 'logLines'>[]>`
      select (select count(*)::int from placed_order) as orders,
        (select count(*)::int from pg_stat_activity where application_name like 'orderbeacon%' and pid <> pg_backend_pid()) as connections,
        sum(pg_table_size(oid))::float8 as "tableBytes", sum(pg_indexes_size(oid))::float8 as "indexBytes"
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    return {
      ...sizes!,
      nodeBytes: server.residentBytes(),
      postgresBytes: shareOfMemory(postmaster),
      logLines: countLines(),
    };
  }

  notify(`Soak of ${minutes} minutes, ${purchasesPerSecond} purchases a second`);
  row('minute', 'orders', 'Node MiB', 'PG MiB', 'connections', 'table B/o', 'index B/o', 'log lines');
  countLines();
  const samples: Sample[] = [];
  const endsMs = performance.now() + minutes * 60_000;
  const buying = (async () => {
    while (performance.now() < endsMs) {
      const nextMs = performance.now() + 1_000;
      await Promise.all(Array.from({ length: purchasesPerSecond }, () => shop.buy()));
      await shop.lookAtConsole();
      await delay(Math.max(0, nextMs - performance.now()));
    }
  })();
  for (let minute = 1; minute <= minutes; minute++) {
    const from = samples.length;
    for (let at = 0; at < samplesPerMinute; at++) {
      await delay(60_000 / samplesPerMinute);
      samples.push(await look());
    }
    const last = samples.at(-1)!;
    const lines = samples.slice(from).reduce((sum, { logLines }) => sum + logLines, 0);
    const perOrder = (bytes: number) => count(bytes / last.orders);
    const sizes = [perOrder(last.tableBytes), perOrder(last.indexBytes)];
    row(
      minute,
      count(last.orders),
      mib(last.nodeBytes),
      mib(last.postgresBytes),
      last.connections,
      ...sizes,
      lines,
    );
  }
  await buying;
  const { bought, answers, delivered } = await shop.close();
  const [stored] = await sql`select count(*)::int as orders from placed_order where team_id = ${shop.team}`;
  notify(
    `  answers: ${Object.entries(answers)
      .map(([name, n]) => `${name} × ${n}`)
      .join(', ')}; deliveries: ${delivered}`,
  );
  await candidate.stop();
  await rm(folder, { recursive: true });

  const last = samples.at(-1)!;
  const each = <K extends keyof Sample>(name: K) => samples.map((sample) => sample[name]);
  const perOrder = samples.map(({ tableBytes, indexBytes, orders }) => (tableBytes + indexBytes) / orders);
  figure('soak, Node MiB', last.nodeBytes / 2 ** 20);
  figure('soak, PostgreSQL MiB', last.postgresBytes / 2 ** 20);
  figure('soak, bytes of an order', perOrder.at(-1)!);
  promise('each order is stored once', stored!.orders === bought, [
    `${stored!.orders} of ${bought} of ${teamId}`,
  ]);
  promise(
    'each answer is 200 or 303',
    Object.keys(answers).every((name) => / (?:200|303)$/.test(name)),
  );
  promise('the memory of Node does not grow', growthOf(each('nodeBytes')) <= growthAtMost, [
    `by ${growthOf(each('nodeBytes'))}`,
  ]);
  promise('the bytes of an order do not grow', growthOf(perOrder) <= growthAtMost, [
    `by ${growthOf(perOrder)}`,
  ]);
  promise('connections stay within the bound', Math.max(...each('connections')) <= connectionsAtMost);
}
