import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { TestOrderbeacon, TestOrderbeaconOptions } from '../../../testing/index.js';
import { listen, type Running } from '../../app/listen.js';
import { readConfig } from '../../config.js';
import type { Sql } from '../../database/connection/connect.js';
import { rememberPublicUrl } from '../../database/installation.js';
import { migrate } from '../../database/migrate.js';
import { openDatabase } from '../../database/openDatabase.js';
import { endPools, openPools, type Pools } from '../../database/pools.js';
import { statementBounds } from '../../database/statementBounds.js';
import { loadSdkFiles } from '../../site/sdkFiles.js';
import { scriptHtml } from '../../site/tag.js';
import { parseDomainEntry } from '../../teams/domains.js';
import { issueKey } from '../../teams/issueKey.js';
import { addDomain } from '../../teams/sql/domain.js';
import { createTeam } from '../../teams/sql/team.js';
import { encodeId, newUuid } from '../../values/ids.js';
import { createExpectOrder, createFindOrder } from './expectOrder.js';

/** Implements `startOrderbeacon` of `@orderbeacon/server/testing`. */
export async function startOrderbeacon({
  domains = ['localhost', '127.0.0.1'],
  port = 0,
  host = '127.0.0.1',
}: TestOrderbeaconOptions = {}): Promise<TestOrderbeacon> {
  const entries = domains.map(requireEntry);
  const dataDir = await mkdtemp(join(tmpdir(), 'orderbeacon-test-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const database = await openDatabase({ databaseUrl: null, dataDir }, { endsWithUs: true });
    ends.push(database.close);
    await migrate(database.sql);
    const pools = openPools(database.url, statementBounds);
    ends.push(() => endPools(pools, { timeout: 5 }));
    const server = await startServer(pools, { port, host });
    ends.push(server.stop);
    const url = server.publicUrl;
    await rememberPublicUrl(database.sql, url);
    const { uuid, teamId, apiKey } = await addTeam(database.sql, entries);
    const findOrder = createFindOrder(url, apiKey);
    return {
      url,
      teamId,
      apiKey,
      scriptHtml: scriptHtml({ publicUrl: url, teamId }),
      findOrder,
      expectOrder: createExpectOrder(database.sql, { url, uuid, findOrder }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws RangeError for a host that can be no domain */
function requireEntry(domain: string): string {
  const parsed = parseDomainEntry(domain);
  if ('hint' in parsed) throw new RangeError(`Domain "${domain}": ${parsed.hint}`);
  return parsed.entry;
}

/** No rate limit, because all of a test's pages have one address. */
async function startServer(pools: Pools, { port, host }: { port: number; host: string }): Promise<Running> {
  const config = readConfig({ PORT: String(port), HOST: host, ORDERBEACON_RATE_LIMIT: 'off' });
  return listen(pools, config, { sdk: await loadSdkFiles(), log: pino({ level: 'silent' }) });
}

async function addTeam(sql: Sql, entries: string[]) {
  const uuid = newUuid();
  await createTeam(sql, { id: uuid, name: 'Test shop', storefrontUrl: 'http://localhost' });
  for (const entry of entries) await addDomain(sql, uuid, { entry, isTest: false });
  const { key } = await issueKey(sql, uuid, { mode: 'live', name: 'test' });
  return { uuid, teamId: encodeId('team', uuid), apiKey: key };
}
