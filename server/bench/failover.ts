import { rm } from 'node:fs/promises';
import { runFailover } from './failoverRun.js';
import { makeFolder } from './makeFolder.js';
import { runOrderbeacon, startServer } from './processes.js';
import { startReplicas } from './replicas.js';

/**
 * Ends a primary under 32 writers and promotes its standby, once with synchronous replication and once without, and
 * prints the acknowledged and the lost orders. `POSTGRES_BIN` names the binaries, such as /usr/lib/postgresql/15/bin; default: the
 * embedded PostgreSQL. Ends with 1 when a promise is broken; without synchronous replication a loss is none.
 */
const notify = (line: string) => process.stdout.write(`${line}\n`);
const binFolder = process.env.POSTGRES_BIN;
const seconds = 5;

for (const isSynchronous of [true, false]) {
  const folder = await makeFolder('failover');
  const replicas = await startReplicas(folder, { isSynchronous, ...(binFolder && { binFolder }) });
  const { answers, acknowledged, lost, doubled, promotedMs, awayMs, exitCode } = await runFailover(
    { startServer, runCommand: runOrderbeacon },
    replicas,
    { seconds, writers: 32 },
  ).finally(async () => {
    await replicas.close();
    await rm(folder, { recursive: true });
  });
  const kind = isSynchronous ? 'synchronous' : 'asynchronous';
  notify(`PostgreSQL ${replicas.version}, ${kind} replication, 32 writers, ${seconds} s before and after`);
  notify(`  acknowledged: ${acknowledged}, lost: ${lost.length}, doubled: ${doubled.length}`);
  notify(`  answers: ${JSON.stringify(answers.byStatus)}, other than 200 and 503: ${answers.wrong.length}`);
  notify(
    `  from the crash to the end of the promotion ${(promotedMs / 1000).toFixed(2)} s, to the first success ${(awayMs / 1000).toFixed(2)} s`,
  );
  for (const answer of answers.wrong.slice(0, 5)) notify(`    ${answer}`);
  const isBroken =
    doubled.length + answers.wrong.length > 0 || exitCode !== 0 || (isSynchronous && lost.length > 0);
  if (isBroken) process.exitCode = 1;
}
