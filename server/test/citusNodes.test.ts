// @module-tag long
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Check } from '../src/site/checks/check.js';
import { runOrderbeacon } from './command.js';
import { freePort } from './freePort.js';
import { startServerForTest } from './server.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

/** A port that takes connections and never answers, as PostgreSQL does when its processes are stopped. */
async function silentPort(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server with a team on each of two workers. */
async function startCluster() {
  const server = await startServerForTest();
  const { sql } = server;
  const teams = new Map<number, string>();
  while (teams.size < 2) {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const [{ port }] = await sql<[{ port: number }]>`
      select nodeport as port from pg_dist_node join pg_dist_placement using (groupid)
      where shardid = get_shard_id_for_distribution_column('domain', ${uuid}::uuid)`;
    teams.set(port, teamId);
  }
  const [[port, teamId], [otherPort, otherTeamId]] = [...teams] as [[number, string], [number, string]];
  const env: Record<string, string> = { ...server.env, PUBLIC_URL: server.url };
  return {
    server,
    env,
    port,
    teamId,
    otherPort,
    otherTeamId,
    async examine(...args: string[]) {
      const { code, stdout, stderr } = await runOrderbeacon(['doctor', '--json', ...args], env);
      expect(stderr).toBe('');
      const checks: Check[] = JSON.parse(stdout);
      return { code, checks, wrong: checks.filter(({ ok }) => !ok) };
    },
    /** The lines of `/metrics` about nodes and the database. */
    async readGauges() {
      const { text } = await server.send('GET', '/metrics');
      return text.split('\n').filter((line) => /^orderbeacon_database_(node_)?up/.test(line));
    },
  };
}

describe.skipIf(!inject('isCitus'))(`the nodes of a cluster (skipped where ${reason})`, () => {
  it.each([
    ['is dead', freePort],
    ['hangs', silentPort],
  ])(
    'are all named as well, and told apart when one %s: doctor and metrics name it, and the server stays ready',
    async (_state, lostPort) => {
      const { server, env, port, teamId, otherPort, otherTeamId, examine, readGauges } = await startCluster();
      const gauges = (node: string, state: number) =>
        [
          `orderbeacon_database_node_up{node="${node}"} ${state}`,
          `orderbeacon_database_node_up{node="127.0.0.1:${otherPort}"} 1`,
          'orderbeacon_database_up 1',
        ].sort();
      expect((await readGauges()).sort()).toEqual(gauges(`127.0.0.1:${port}`, 1));
      expect((await examine()).checks).toContainEqual({
        check: 'nodes',
        ok: true,
        message: 'The coordinator reaches all 2 workers of the Citus cluster.',
        fix: null,
      });
      const lost = `127.0.0.1:${await lostPort()}`;
      await server.sql`
      update pg_dist_node set nodeport = ${Number(lost.split(':')[1])} where nodeport = ${port}`;

      expect((await readGauges()).sort()).toEqual(gauges(lost, 0));
      expect((await server.send('GET', '/readyz')).status).toBe(200);

      const { code, wrong } = await examine();
      expect([code, wrong.map(({ check }) => check)]).toEqual([1, ['nodes']]);
      expect(wrong[0]!.message).toContain(`does not reach ${lost}, of 2 workers`);

      const ofLost = await examine('--team', teamId);
      expect(ofLost.wrong.map(({ check }) => check)).toEqual(['nodes', 'domains']);
      expect(ofLost.wrong[1]!.message).toBe(`This team’s data is on ${lost}, which does not answer.`);
      const ofOther = await examine('--team', otherTeamId);
      expect(ofOther.wrong.map(({ check }) => check)).toEqual(['nodes']);
      expect(ofOther.checks.find(({ check }) => check === 'domains')?.message).toBe('Allowed: shop.example.');

      // Every other command of such a team ends in a sentence, too.
      const short = new URL(env.DATABASE_URL!);
      short.searchParams.set('citus.node_connection_timeout', '1000');
      const list = await runOrderbeacon(['domain', 'list', '--team', teamId], {
        ...env,
        DATABASE_URL: short.href,
      });
      expect([list.code, list.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^orderbeacon: The coordinator does not reach a node of the Citus cluster; orderbeacon doctor names it: [^\uFFFD\n]+\n$/,
        ),
      ]);
    },
  );
});
