import type { Config } from '../config.js';
import { notifyListeners } from '../core/listener.js';
import { loadSdkFiles } from '../core/script/sdkFiles.js';
import { listTeams } from '../core/teams/sql/team.js';
import { choosePoolSizes } from '../database/allowedConnections.js';
import { statementBounds } from '../database/connection/connect.js';
import { rememberPublicUrl } from '../database/installation.js';
import { migrate } from '../database/migrate.js';
import { type Database, openDatabase } from '../database/openDatabase.js';
import { endPools, openPools, type Pools } from '../database/pools.js';
import { install } from '../host/install.js';
import { createLog } from '../monitoring/log.js';
import { noteUnhandled } from '../monitoring/noteUnhandled.js';
import { firstShop } from '../values/command.js';
import { stopSignal } from '../values/stopSignal.js';
import { version } from '../values/version.js';
import { chooseFeatures } from './chooseFeatures.js';
import { listen, type Running } from './listen.js';

/** Time, in seconds, that a stopping server gives its statements to end. */
const endTimeout = { timeout: 5 };

/**
 * Runs the server until SIGTERM, SIGINT or an unhandled fault. Resolves after all requests in progress were answered, or were cut
 * by a second signal. After a fault the process then ends with 1, because only a restart restores a sound state.
 */
export async function serve(config: Config, notify: (line: string) => void): Promise<void> {
  const stopAsked = stopSignal();
  const features = chooseFeatures(config);
  const sdk = await loadSdkFiles();
  const log = createLog(config.logLevel);
  // A migration may take any time, so this connection has no time limits.
  const database = await openDatabase(config, { poolSize: 1, notify });
  let pools: Pools | undefined;
  try {
    const migrated = migrate(database.sql, undefined, {
      notify,
      migrated: install(features).distribution?.migrated,
    }).then(() => 'migrated');
    // A migration may wait minutes for a lock. If it is interrupted it leaves nothing behind, and the next start continues.
    if ((await Promise.race([migrated, stopAsked])) !== 'migrated') return;
    if (!database.takesSettings)
      notify(
        'The pooler in front of the database refuses statement_timeout as a connection parameter; set it for the database itself: alter database … set statement_timeout = 10000.',
      );
    const sizes = await Promise.race([choosePoolSizes(database.sql, database.url, notify), stopAsked]);
    if (!sizes) return;
    pools = openPools(database.url, { ...statementBounds, arePassed: database.takesSettings }, sizes);
    const { bindUrl, publicUrl, listeners, stop } = await listen(pools, config, { sdk, log, list: features });
    try {
      const ended = Promise.race([stopAsked, noteUnhandled(log)]);
      // Another session may hold the locks that these statements need, for any time.
      await Promise.race([announce(database, config, { bindUrl, publicUrl, listeners }, notify), ended]);
      await ended;
    } finally {
      // A second signal would end the process immediately, and leave the embedded PostgreSQL running.
      await stop(stopSignal());
    }
  } finally {
    // Concurrently, as in `endPools`.
    await Promise.all([pools && endPools(pools, endTimeout), database.sql.end(endTimeout)]);
    await database.close();
  }
}

/**
 * Prints where the server listens. Stores its public URL for commands. It never rejects, because the server serves already, and a
 * database that is away for a moment must not end it.
 */
async function announce(
  { sql, folder }: Database,
  { demo }: Config,
  { bindUrl, publicUrl, listeners }: Omit<Running, 'stop'>,
  notify: (line: string) => void,
): Promise<void> {
  const notifyOf = (what: string) => (error: Error) => notify(`${what}: ${error.message}`);
  await rememberPublicUrl(sql, publicUrl).catch(
    notifyOf('The public URL could not be written into the database, where commands look for it'),
  );
  const forBrowsers = publicUrl === bindUrl ? '' : ` (for browsers: ${publicUrl})`;
  notify(`Orderbeacon ${version} listens on ${bindUrl}${forBrowsers}`);
  const hasDemo = demo === 'on' || (demo === null && folder !== null);
  if (hasDemo)
    await notifyListeners(listeners, 'onListening', sql, notify).catch(
      notifyOf('The demo team could not be looked up or made; the next start tries again'),
    );
  const teams = await listTeams(sql).catch(() => null);
  if (teams?.length === 0) notify(`\nThis database has no shop yet. ${firstShop}\n`);
}
