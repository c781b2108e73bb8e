import type { Command } from 'commander';
import { subcommand, UsageError, withDatabase } from '../../commands/command.js';
import { type CommandIo, createProgress, note, print } from '../../commands/io.js';
import { openForCommand } from '../../commands/openForCommand.js';
import { readConfig } from '../../config.js';
import { listTeams } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import { inSavepoint } from '../../database/inTransaction.js';
import type { Distribution } from '../../host/distribution.js';
import type { CommandServices } from '../../host/host.js';
import { openBackup } from './backupRead.js';
import { restoreBackup } from './backupRestore.js';
import { writeBackup } from './backupWrite.js';
import { recordBackup } from './lastBackup.js';
import { writeGzipFile, writeGzipOut } from './writeGzip.js';

/** Adds the commands `orderbeacon backup` and `orderbeacon restore`. */
export function addBackupCommands(program: Command, { io, distribution }: CommandServices): void {
  subcommand(
    program,
    'backup',
    'Writes all data, as of one moment, into one file. Servers may keep running. The file holds emails, signing keys and the installation’s secret, so keep it private.',
    'backup orderbeacon-2026-05-01.gz',
  )
    .argument('<file>', 'a new file, or - for stdout; with -, exit code 0 means that the backup is complete')
    .action(
      withDatabase<{ json?: boolean }>(io, async ({ sql }, options, file) => {
        const isOut = file === '-';
        if (isOut && options.json)
          throw new UsageError('With - the backup itself goes to stdout, so leave out --json.');
        // A wrong setting may lead to an empty database. Without this check, every nightly backup would be empty.
        if ((await listTeams(sql)).length === 0) {
          throw new UsageError(
            'This database has no team, so there is nothing to back up. Check that ORDERBEACON_DATA_DIR or DATABASE_URL is the same as the server’s.',
          );
        }
        const progress = createProgress(io, 'rows');
        const { rows, bytes } = await backUp(io, sql, file!, distribution, progress.show);
        const total = sum(rows);
        progress.end(total);
        const text = `Wrote ${total} rows, ${bytes} bytes, into ${isOut ? 'stdout' : file}.`;
        if (isOut) {
          note(io, text);
          return undefined;
        }
        return { json: { file, bytes, rows }, text };
      }),
    );

  subcommand(
    program,
    'restore',
    'Fills an empty database from a backup, completely or not at all. No server may run on that database.',
    'restore orderbeacon-2026-05-01.gz',
  )
    .argument('<file>', 'a file that backup wrote')
    .action(async (file: string, options: { json?: boolean }) => {
      const backup = await openBackup(file);
      const progress = createProgress(io, 'rows');
      const database = await openForCommand(io, readConfig(io.env), { poolSize: 1 });
      try {
        const rows = await restoreBackup(database.sql, backup, progress.show);
        progress.end(sum(rows));
        const text = `Restored ${sum(rows)} rows from ${file}, made at ${backup.header.createdAt}.`;
        await print(io, `${options.json ? JSON.stringify({ file, rows }, null, 2) : text}\n`);
      } finally {
        await database.close();
      }
    });
}

async function backUp(
  io: CommandIo,
  sql: Sql,
  file: string,
  distribution: Distribution | undefined,
  onProgress: (rows: number) => void,
) {
  // The rows of a cluster are on several machines.
  if (await distribution?.isDistributed(sql)) {
    throw new UsageError(
      'The tables are distributed over a Citus cluster, whose nodes no backup reads at one moment. Use PostgreSQL’s own backups of each node: see the guide Citus.',
    );
  }
  return sql.begin('isolation level repeatable read', async (transaction) => {
    const tx = transaction as unknown as Sql;
    // Committed at the end of the file. A standby cannot record it, but its backup is complete.
    await inSavepoint(tx, recordBackup).catch(() => {});
    // Each table is read by one statement. Behind a pooler, the database itself may have the server's limit.
    await tx`set local statement_timeout = 0`;
    const rows: Record<string, number> = {};
    const content = writeBackup(tx, (table, count) => {
      rows[table] = count;
      onProgress(sum(rows));
    });
    const bytes = await (file === '-' ? writeGzipOut(io, content) : writeGzipFile(file, content));
    return { bytes, rows };
  });
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
