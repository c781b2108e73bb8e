import { Agent, request } from 'node:http';
import { isDistributed } from '../src/database/cluster/distributedTables.js';
import { connect } from '../src/database/connection/connect.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { createTeam } from '../src/teams/sql/team.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { startServer } from './processes.js';

/**
 * Prints how many new orders a second a server stores, of as many teams as `TEAMS` (1,50) names in turn, on each of the databases that
 * `URLS` names, divided by commas: such as a PostgreSQL and the coordinator of a Citus cluster. All must be migrated.
 * The databases take turns for `ROUNDS` (3) rounds of `SECONDS` (5), over `CONNECTIONS` (64); printed is the median.
 */
const urls = (process.env.URLS ?? '').split(',').filter(Boolean);
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 5);
const connections = Number(process.env.CONNECTIONS ?? 64);
const teamCounts = (process.env.TEAMS ?? '1,50').split(',').map(Number);

const notify = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
if (urls.length === 0) {
  notify('Set URLS to the databases to compare, divided by commas.');
  process.exit(2);
}

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
async function measureRate({ serverUrl, teams }: Compared, teamCount: number): Promise<number> {
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

const places = await Promise.all(urls.map(open));
for (const teamCount of teamCounts) {
  const rates = places.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, place] of places.entries()) rates[at]!.push(await measureRate(place, teamCount));
  }
  const medians = rates.map(median);
  for (const [at, { name }] of places.entries()) {
    const share = (medians[at]! / medians[0]!).toFixed(2);
    notify(
      `${teamCount} teams  ${name.padEnd(10)} ${Math.round(medians[at]!)} orders/s  ${share} of the first`,
    );
  }
}
await Promise.all(places.map(({ stop }) => stop()));
