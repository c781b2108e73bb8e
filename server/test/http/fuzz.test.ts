// @module-tag all

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSequence } from '../../src/core/people/sql/sequence.js';
import { encodeId, newUuid } from '../../src/values/ids.js';
import { version } from '../../src/values/version.js';
import { addProduct } from '../kit/addProduct.js';
import { fuzzComplaint } from '../kit/fuzzComplaint.js';
import { type FuzzRequest, type FuzzTeam, fuzzRequest } from '../kit/fuzzRequests.js';
import { createFuzzSender, type FuzzAnswer } from '../kit/fuzzSend.js';
import { startTestServer, type TestServer } from '../kit/server.js';

/** Number of requests and, below, their seed. To look at a fault again, set both: the same seed makes the same requests. */
const requestsAgain = Number(process.env.FUZZ_REQUESTS ?? 500);
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);
/** Requests of a batch. Each batch has another seed, so that a failure in a long run is repeated by a short one. */
const batchRequests = 500;
const atOnce = 16;

const metricsToken = 'fuzzed-metrics-token';
let server: TestServer;
beforeAll(async () => {
  const env = {
    // A limit that is never reached, so that the reading of addresses is tested, too.
    ORDERBEACON_RATE_LIMIT: '999999999',
    ORDERBEACON_TRUST_PROXY: '1',
    ORDERBEACON_METRICS_TOKEN: metricsToken,
  };
  const connections = { keepAliveTimeout: 1_000, requestTimeout: 5_000, headersTimeout: 5_000 };
  server = await startTestServer({ env, connections });
});
afterAll(() => server.close());

async function addFuzzTeam(): Promise<FuzzTeam> {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const sequence = newUuid();
  await createSequence(server.sql, uuid, { id: sequence, name: 'Welcome' });
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await addProduct(server.sql, uuid, product);
  return { uuid, teamId, key: await server.addKey(uuid), sequenceId: encodeId('seq', sequence) };
}

/** The acknowledgements of one order. */
interface Acknowledged {
  timesNew: number;
  amounts: number[];
}

function noteOrder(orders: Map<string, Acknowledged>, { status, headers, text }: FuzzAnswer): void {
  if (status !== 200 || headers.get('content-type') !== 'application/json' || text === '') return;
  const { data } = JSON.parse(text);
  if (!data?.id?.startsWith('ord_')) return;
  const { timesNew, amounts } = orders.get(data.id) ?? { timesNew: 0, amounts: [] };
  orders.set(data.id, { timesNew: timesNew + (data.isNew ? 1 : 0), amounts: [...amounts, data.amount] });
}

/** Describes a request so that a person can read and repeat it. */
function describeRequest(request: FuzzRequest): string {
  return JSON.stringify({ ...request, body: request.body?.toString('base64') }).slice(0, 4_000);
}

it(`${requestsAgain} mutated requests get an answer of the contract each, and what is stored is what was acknowledged`, () =>
  fuzz(requestsAgain));

it('20,000 mutated requests do', { tags: ['long'] }, () => fuzz(20_000));

async function fuzz(requestCount: number): Promise<void> {
  const teams = { sound: await addFuzzTeam(), raw: await addFuzzTeam() };
  const requests = fuzzRequest(teams, { host: new URL(server.url).host, metricsToken, sdkVersion: version });
  const acknowledged = { sound: new Map<string, Acknowledged>(), raw: new Map<string, Acknowledged>() };
  const sender = createFuzzSender(server.url);
  const complaints: string[] = [];

  async function send(request: FuzzRequest, complain: (what: string) => void) {
    const answers = await sender.send(request);
    // Node closes the connection of a CONNECT.
    const mayBeSilent = request.framing === 'short' || request.method === 'CONNECT';
    if (answers.length === 0 && !mayBeSilent) complain('no answer');
    for (const answer of answers) {
      const wrong = fuzzComplaint(request, answer);
      if (wrong) complain(`${wrong}: ${answer.status} ${answer.text.slice(0, 300)}`);
      noteOrder(acknowledged[request.framing === 'sound' ? 'sound' : 'raw'], answer);
    }
  }

  for (let batch = 0; batch * batchRequests < requestCount; batch++) {
    const seed = firstSeed + batch;
    const numRuns = Math.min(batchRequests, requestCount - batch * batchRequests);
    const waiting = fc.sample(requests, { seed, numRuns }).entries();
    const work = async () => {
      for (const [at, request] of waiting) {
        const complain = (what: string) =>
          complaints.push(
            `FUZZ_SEED=${seed} FUZZ_REQUESTS=${numRuns}, request ${at}: ${what}: ${describeRequest(request)}`,
          );
        await send(request, complain).catch((error) => complain(String(error)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (complaints.length > 0) break;
  }
  sender.close();
  expect(complaints.slice(0, 5).join('\n\n')).toBe('');

  for (const framing of ['sound', 'raw'] as const) {
    const rows = await server.sql`
      select id, amount from placed_order where team_id = ${teams[framing].uuid} order by id`;
    const amounts = new Map(rows.map((row) => [encodeId('ord', row.id), Number(row.amount)]));
    const seen = [...acknowledged[framing]];
    expect(seen.length).toBeGreaterThan(requestCount / 500);
    expect(seen.filter(([id]) => !amounts.has(id))).toEqual([]);
    // A raw connection that broke may have lost an answer, also that of a merge. A sound one never does.
    if (framing === 'raw') continue;
    expect(seen.filter(([id, order]) => !order.amounts.includes(amounts.get(id)!))).toEqual([]);
    expect(amounts.size).toBe(seen.length);
    expect(seen.filter(([, order]) => order.timesNew !== 1)).toEqual([]);
  }
  expect((await server.send('GET', '/readyz')).status).toBe(200);
  expect(server.lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  const secrets = ['fuzzed-buyer', metricsToken, teams.sound.key, teams.raw.key];
  expect(server.lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
}
