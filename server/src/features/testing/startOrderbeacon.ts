import type { TestOrderbeacon, TestOrderbeaconOptions } from '../../../testing/index.js';
import { scriptHtml } from '../../core/script/tag.js';
import { parseDomainEntry } from '../../core/teams/domains.js';
import { issueKey } from '../../core/teams/issueKey.js';
import { addDomain } from '../../core/teams/sql/domain.js';
import { createTeam } from '../../core/teams/sql/team.js';
import { connect, type Sql } from '../../database/connection/connect.js';
import { encodeId, newUuid } from '../../values/ids.js';
import { createExpectOrder, createFindOrder, type ListRefused } from './expectOrder.js';
import { findSharedServer } from './sharedServer.js';
import { type Listen, startTestServer } from './startTestServer.js';

/** Parts of the server of which a test server is made. */
export interface TestParts {
  listen: Listen;
  /** Lists the team's refused reports; absent if no feature keeps them. */
  listRefused?: ListRefused;
}

/** Implements `startOrderbeacon` of `@orderbeacon/server/testing`. */
export async function startOrderbeacon(
  { listen, listRefused = async () => [] }: TestParts,
  { domains = ['localhost', '127.0.0.1'], ...address }: TestOrderbeaconOptions = {},
): Promise<TestOrderbeacon> {
  const entries = domains.map(requireEntry);
  const shared = Object.keys(address).length === 0 ? findSharedServer() : null;
  const server = shared ?? (await startTestServer(listen, address));
  const { url } = server;
  const sql = connect(server.databaseUrl, 2);
  const stop = async () => {
    await sql.end({ timeout: 5 });
    await server.stop();
  };
  try {
    const { uuid, teamId, apiKey } = await addTeam(sql, entries);
    const findOrder = createFindOrder(url, apiKey);
    return {
      url,
      teamId,
      apiKey,
      scriptHtml: scriptHtml({ publicUrl: url, teamId }),
      findOrder,
      expectOrder: createExpectOrder(sql, { url, uuid, findOrder, listRefused }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads a host as the entry of a domain. @throws RangeError if it cannot be a domain */
function requireEntry(domain: string): string {
  const parsed = parseDomainEntry(domain);
  if ('hint' in parsed) throw new RangeError(`Domain "${domain}": ${parsed.hint}`);
  return parsed.entry;
}

async function addTeam(sql: Sql, entries: string[]) {
  const uuid = newUuid();
  await createTeam(sql, { id: uuid, name: 'Test shop', storefrontUrl: 'http://localhost' });
  for (const entry of entries) await addDomain(sql, uuid, { entry, isTest: false });
  const { key } = await issueKey(sql, uuid, { mode: 'live', name: 'test' });
  return { uuid, teamId: encodeId('team', uuid), apiKey: key };
}
