import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { type Config, readConfig } from '../../config.js';
import { loadSdkFiles, type SdkFiles } from '../../core/script/sdkFiles.js';
import { statementBounds } from '../../database/connection/connect.js';
import { rememberPublicUrl } from '../../database/installation.js';
import { migrate } from '../../database/migrate.js';
import { openDatabase } from '../../database/openDatabase.js';
import { endPools, openPools, type Pools } from '../../database/pools.js';

/** A running server without a team, on a separate embedded PostgreSQL. */
export interface TestServer {
  url: string;
  databaseUrl: string;
  /** Stops the server and its database, and removes all data. */
  stop(): Promise<void>;
}

/** Composes the server on an open, migrated database, and starts to listen. */
export type Listen = (
  pools: Pools,
  config: Config,
  parts: { sdk: SdkFiles; log: Logger },
) => Promise<{ publicUrl: string; stop(): Promise<void> }>;

/** Starts a server in a temporary folder. It ends with this process, even if that is killed. */
export async function startTestServer(
  listen: Listen,
  { port = 0, host = '127.0.0.1' } = {},
): Promise<TestServer> {
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
    // No rate limit, because all pages of a test have one address.
    const config = readConfig({ PORT: String(port), HOST: host, ORDERBEACON_RATE_LIMIT: 'off' });
    const server = await listen(pools, config, {
      sdk: await loadSdkFiles(),
      log: pino({ level: 'silent' }),
    });
    ends.push(server.stop);
    await rememberPublicUrl(database.sql, server.publicUrl);
    return { url: server.publicUrl, databaseUrl: database.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
