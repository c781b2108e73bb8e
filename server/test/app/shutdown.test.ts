// @module-tag slow
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { addDomain } from '../../src/core/teams/sql/domain.js';
import { createTeam } from '../../src/core/teams/sql/team.js';
import { encodeId, newUuid } from '../../src/values/ids.js';
import { signIn } from '../kit/console.js';
import { createTestDatabase } from '../kit/database.js';
import { startServerProcess } from '../kit/process.js';

/** The documented time limit of a stop: 10 s for requests, and 5 s for the connections to the database. */
const stopMs = 15_000;

/** Sends bytes on a connection, and reads only the first piece of the answer, if one is expected. */
async function hang(url: string, bytes: string, isAnswered = true): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  if (!isAnswered) return '';
  const [first] = await once(socket, 'data');
  socket.pause();
  return String(first).split('\r\n')[0]!;
}

const reportOf = (team: string) =>
  JSON.stringify({ teamId: encodeId('team', team), email: 'ann@buyer.example', amount: 1 });

async function openDatabaseForTest() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

async function start() {
  const { sql, env } = await openDatabaseForTest();
  const team = newUuid();
  await createTeam(sql, { id: team, name: 'Test', storefrontUrl: 'https://shop.example' });
  await addDomain(sql, team, { entry: 'shop.example', isTest: false });
  const server = await startServerProcess(env);
  const { cookie, home } = await signIn({ sql, url: server.url }, encodeId('team', team));
  const get = (path: string, method = 'GET') =>
    `${method} ${path.replace('/console', home)} HTTP/1.1\r\nHost: collector.example\r\nCookie: ${cookie}\r\n\r\n`;
  return { sql, team, server, get };
}

it('when its terminal closes, a report that has begun is answered', { tags: ['all'] }, async () => {
  const { server, team } = await start();
  const body = reportOf(team);
  const report = request(new URL('/svc-api/v1/orders', server.url), {
    method: 'POST',
    headers: {
      origin: 'https://shop.example',
      'content-type': 'text/plain',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  report.flushHeaders();
  await once(report, 'continue');
  server.signal('SIGHUP');
  // After 10 s all connections are cut. This report's was not yet.
  report.end(body);
  const [answer] = await once(report, 'response');
  expect(answer.resume().statusCode).toBe(200);
  expect((await server.ended).code).toBe(0);
});

it('SIGTERM ends the process within its time limit, whatever is open', async () => {
  const { sql, team, server, get } = await start();
  const person = newUuid();
  await sql`insert into person (team_id, id, email) values (${team}, ${person}, 'ann@buyer.example')`;
  // More data than the buffers of a connection hold.
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at, items)
    select ${team}, gen_random_uuid(), 'ORD-' || n, ${person}, 1, 'USD', 'OTHER', false, 'browser', now(),
      json_build_array(json_build_object('name', repeat('x', 2000)))
    from generate_series(1, 10000) n`;
  const report =
    'POST /svc-api/v1/orders HTTP/1.1\r\nHost: collector.example\r\nOrigin: https://shop.example\r\n';
  expect(await hang(server.url, get('/console/orders.csv'))).toContain('200');
  expect(await hang(server.url, get('/healthz'))).toContain('200');
  await hang(server.url, 'GET /console HTTP/1.1\r\nHost: coll', false);
  await hang(
    server.url,
    `${report}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"teamId"`,
    false,
  );
  await hang(
    server.url,
    get('/console/sign-out', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\nform'),
    false,
  );
  // A page whose statement waits for a lock, and a page whose answer is not read.
  const lock = sql.begin(async (tx) => {
    await tx`lock table summed_day in access exclusive mode`;
    await hang(server.url, get('/console'), false);
    await hang(server.url, get('/console/orders').repeat(8));
    server.signal('SIGTERM');
    const startedMs = performance.now();
    expect((await server.ended).code).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(stopMs);
  });
  await lock;
});

it('SIGTERM ends the process within its time limit while PostgreSQL has stopped answering', {
  tags: ['all'],
}, async () => {
  const { sql, team, server } = await start();
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const signalAll = (signal: NodeJS.Signals) => {
    for (const { pid } of backends) process.kill(pid, signal);
  };
  signalAll('SIGSTOP');
  onTestFinished(() => signalAll('SIGCONT'));
  const body = reportOf(team);
  await hang(
    server.url,
    `POST /svc-api/v1/orders HTTP/1.1\r\nHost: collector.example\r\nOrigin: https://shop.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    false,
  );
  server.signal('SIGTERM');
  const startedMs = performance.now();
  expect((await server.ended).code).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(stopMs);
});

it('SIGTERM ends a server that has just begun to listen while another session holds the tables', async () => {
  const { sql, env } = await openDatabaseForTest();
  await sql.begin(async (tx) => {
    await tx`lock table team in access exclusive mode`;
    const server = await startServerProcess(env);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});
