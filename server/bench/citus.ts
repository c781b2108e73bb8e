import { Agent, request } from 'node:http';
import { isDistributed } from '../src/database/cluster/distributedTables.js';
import { connect } from '../src/database/connection/connect.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { createTeam } from '../src/teams/sql/team.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { median } from './inTurn.js';
import type { BenchOptions } from './options.js';
import { startServer } from './processes.js';
import { notify } from './table.js';
import type { Verdict } from './verdict.js';

const connections = 64;

interface Compared {
  name: string;
  serverUrl: string;
  teams: string[];
  stop(): Promise<unknown>;
}

async function open(url: string): Promise<Compared> {
  const sql = connect(url, 1);
  const name = (await isDistributed(sql)) ? 'Citus' : 'PostgreSQL';
  const teams: string[] = [];
  for (let n = 0; n < 50; n++) {
    const id = newUuid();
    await createTeam(sql, { id, name: `Bench ${n}`, storefrontUrl: 'https://shop.example' });
    await addDomain(sql, id, { entry: 'shop.example', isTest: false });
    teams.push(encodeId('team', id));
  }
  await sql.end();
  const { url: serverUrl, stop } = await startServer({
    DATABASE_URL: url,
    ORDERBEACON_RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  });
  return { name, serverUrl, teams, stop };
}

let made = Date.now();

/** Reports orders over all connections; resolves with the orders a second. Rejects when one is not stored. */
async function measureRate(
  { serverUrl, teams }: Compared,
  teamCount: number,
  seconds: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const endMs = performance.now() + seconds * 1000;
  let stored = 0;
  const one = () =>
    new Promise<number>((resolve, reject) => {
      const n = made++;
      const body = JSON.stringify({
        teamId: teams[n % teamCount],
        email: `buyer-${n}@mail.example`,
        amount: 49.9,
        orderId: `${n}`,
        items: [{ sku: 'TEE-1', name: 'T-shirt', quantity: 2, price: 24.95 }],
      });
      const headers = { origin: 'https://shop.example', 'content-type': 'text/plain' };
      const sent = request(
        `${serverUrl}/svc-api/v1/orders`,
        { method: 'POST', agent, headers },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode!));
        },
      );
      sent.on('error', reject).end(body);
    });
  const lane = async () => {
    while (performance.now() < endMs) {
      const status = await one();
      if (status !== 200) throw new Error(`A report was answered with ${status}.`);
      stored++;
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return stored / ((performance.now() - startMs) / 1000);
}

/**
 * Measures the new orders a second of one team, and of 50 in turn, on each of the migrated databases that `URLS` names,
 * divided by commas: such as a PostgreSQL and the coordinator of a Citus cluster.
 */
export async function measureCitus(
  { rounds, seconds = 5 }: BenchOptions,
  { figure }: Verdict,
): Promise<void> {
  const urls = (process.env.URLS ?? '').split(',').filter(Boolean);
  if (urls.length === 0) throw new Error('Set URLS to the databases to compare, divided by commas.');
  const places = await Promise.all(urls.map(open));
  for (const teamCount of [1, 50]) {
    const rates = places.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, place] of places.entries())
        rates[at]!.push(await measureRate(place, teamCount, seconds));
    }
    const medians = rates.map(median);
    for (const [at, { name }] of places.entries()) {
      const share = (medians[at]! / medians[0]!).toFixed(2);
      notify(`${teamCount} teams  ${name}  ${Math.round(medians[at]!)} orders/s  ${share} of the first`);
      figure(`${teamCount} teams, ${name}, orders/s`, medians[at]!);
    }
  }
  await Promise.all(places.map(({ stop }) => stop()));
}
