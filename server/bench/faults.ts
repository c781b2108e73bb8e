import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { runChaos } from './chaosRun.js';
import { runFailover } from './failoverRun.js';
import { growthOf } from './growth.js';
import { tryKills } from './kills.js';
import { makeFolder } from './makeFolder.js';
import type { BenchOptions } from './options.js';
import { runOrderbeacon, startServer } from './processes.js';
import { startReplicas } from './replicas.js';
import { notify } from './table.js';
import type { Verdict } from './verdict.js';

/** Number of concurrent writers, who repeat each report until it is acknowledged. */
const writers = 32;
/** Sum of the time limits of a waiting row, a connection and a statement without answer; doubled for a known order. */
const answerMsAtMost = 60_000;
const readinessMsAtMost = 2_000;
const growthAtMost = 1.25;

/**
 * Runs a server under writers while something fails. `chaos`: its connections to PostgreSQL. `kills`: SIGKILL ends the server
 * or PostgreSQL. `failover`: the primary of two databases crashes. `--seconds` (120) is the length of the first two.
 */
export async function tryFaults(options: BenchOptions, verdict: Verdict): Promise<void> {
  const { parts, seconds = 120, seed } = options;
  const tries: Record<string, () => Promise<void>> = {
    chaos: () => tryChaos(seconds, seed, verdict),
    kills: () => tryKills({ seconds, seed, writers }, verdict),
    failover: () => tryFailover(verdict),
  };
  for (const part of parts.length > 0 ? parts : Object.keys(tries)) await tries[part]!();
}

const list = (counts: Record<string, number>, unit = '') =>
  Object.entries(counts)
    .map(([name, value]) => `${name} ${unit ? '' : '× '}${Math.round(value)}${unit}`)
    .join(', ');

async function tryChaos(seconds: number, seed: number, { promise, figure }: Verdict): Promise<void> {
  const folder = await makeFolder('chaos');
  const embedded = await openEmbedded(join(folder, 'data'), () => {});
  await runOrderbeacon({ DATABASE_URL: embedded.url }, ['migrate']);
  const result = await runChaos(
    { databaseUrl: embedded.url, startServer, runCommand: runOrderbeacon },
    { seconds, seed, writers },
  );
  await embedded.close();
  await rm(folder, { recursive: true });

  const { answers, imports } = result;
  notify(`Chaos for ${seconds} s, seed ${seed}: ${list({ ...result.faults })}`);
  notify(`  answers: ${list(answers.byStatus)}; longest: ${list(answers.longestMs, ' ms')}`);
  notify(`  acknowledged: ${result.acknowledged} orders, ${result.merged} merges; imports: ${imports.done}`);
  figure('chaos, acknowledged orders', result.acknowledged);
  promise('no acknowledged order is lost', result.lost.length === 0 && result.acknowledged > 0, result.lost);
  promise('no order is doubled', result.doubled.length === 0, result.doubled);
  promise('every acknowledged merge is stored', result.unmerged.length === 0, result.unmerged);
  promise('one subscription, however often it was asked for', result.subscriptions === 1);
  promise('200 or 503 with Retry-After, nothing else', answers.wrong.length === 0, answers.wrong);
  promise(
    'imports that succeed are whole, and others fail in one line',
    imports.wrong.length === 0,
    imports.wrong,
  );
  const { readiness = 0, ...others } = answers.longestMs;
  promise('everybody is answered within 60 s', Math.max(...Object.values(others)) <= answerMsAtMost);
  promise('readiness is answered within 2 s', readiness <= readinessMsAtMost);
  promise('memory does not grow', growthOf(result.residentBytes) <= growthAtMost);
  promise('no fault goes unhandled, and the server stops when asked', result.exitCode === 0);
}

/**
 * Crashes a primary and promotes its standby, with synchronous replication and without. Without, a loss breaks no promise.
 * `POSTGRES_BIN` names the binaries, such as /usr/lib/postgresql/15/bin; default: the embedded PostgreSQL.
 */
async function tryFailover({ promise, figure }: Verdict): Promise<void> {
  const binFolder = process.env.POSTGRES_BIN;
  for (const isSynchronous of [true, false]) {
    const folder = await makeFolder('failover');
    const replicas = await startReplicas(folder, { isSynchronous, ...(binFolder && { binFolder }) });
    const { answers, acknowledged, lost, doubled, promotedMs, awayMs, exitCode } = await runFailover(
      { startServer, runCommand: runOrderbeacon },
      replicas,
      { seconds: 5, writers },
    ).finally(async () => {
      await replicas.close();
      await rm(folder, { recursive: true });
    });
    const kind = isSynchronous ? 'synchronous' : 'asynchronous';
    notify(`Failover of PostgreSQL ${replicas.version}, ${kind} replication: ${list(answers.byStatus)}`);
    notify(`  acknowledged: ${acknowledged}, lost: ${lost.length}; promoted in ${Math.round(promotedMs)} ms`);
    figure(`failover, ${kind}, ms to the first success`, awayMs);
    if (isSynchronous) promise('no acknowledged order is lost', lost.length === 0, lost);
    promise('no order is doubled', doubled.length === 0, doubled);
    promise('200 or 503 with Retry-After, nothing else', answers.wrong.length === 0, answers.wrong);
    promise('the server stops when asked', exitCode === 0);
  }
}
