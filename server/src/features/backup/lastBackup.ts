import { Gauge, type Registry } from 'prom-client';
import type { Sql } from '../../database/connection/connect.js';
import { shareQuery } from '../../monitoring/shareQuery.js';

/** Time that a read waits for the database. A scrape of Prometheus has 10 s. */
const waitMs = 1_000;

/** Records the time of a backup for the servers' metrics, in its transaction. Skipped while another backup runs. */
export async function recordBackup(tx: Sql): Promise<void> {
  await tx`/* recordBackup */
    update installation set backed_up_at = now()
    where exists (select from installation for no key update skip locked)`;
}

/** Adds a metric of the time of the last complete backup. A read asks the database, for at most a second. */
export function addBackupGauge(sql: Sql, registry: Registry): void {
  const read = shareQuery(ask, waitMs);
  const gauge = new Gauge({
    registers: [registry],
    name: 'orderbeacon_last_backup_timestamp_seconds',
    help: 'When the command backup last wrote a complete file, in Unix seconds; 0 for never.',
    collect: async () => void (await read()),
  });

  async function ask(): Promise<void> {
    const rows = await sql<{ seconds: number }[]>`/* findLastBackup */
      select coalesce(extract(epoch from backed_up_at), 0)::float as seconds from installation`.catch(
      () => [],
    );
    // If the database did not answer, the last known time stays.
    for (const { seconds } of rows) gauge.set(seconds);
  }
}
