import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { runChaos } from './chaosRun.js';
import { makeFolder } from './makeFolder.js';
import { runOrderbeacon, startServer } from './processes.js';

/**
 * Cuts the connections between a server and its PostgreSQL at random for `MINUTES` (5), under 32 writers; `SEED` (1) decides
 * when and how. Ends with 1 when a promise is broken.
 */
const seconds = Number(process.env.MINUTES ?? 5) * 60;
const seed = Number(process.env.SEED ?? 1);
/** Sum of the time limits of a waiting row, a connection and a statement without answer; twice for a known order. */
const answerMsAtMost = 60_000;
const readinessMsAtMost = 2_000;
/** Ratio of the memory in the last fifth of the run to the second fifth, when caches and heap have their size. */
const growthAtMost = 1.25;

const notify = (line: string) => process.stdout.write(`${line}\n`);
let broken = 0;
function promise(what: string, isKept: boolean, evidence: string[] = []): void {
  if (!isKept) broken++;
  notify(`  ${isKept ? 'kept  ' : 'BROKEN'}  ${what}`);
  for (const line of evidence.slice(0, 5)) notify(`          ${line}`);
}

const folder = await makeFolder('chaos');
const embedded = await openEmbedded(join(folder, 'data'), () => {});
await runOrderbeacon({ DATABASE_URL: embedded.url }, ['migrate']);
const result = await runChaos(
  { databaseUrl: embedded.url, startServer, runCommand: runOrderbeacon },
  { seconds, seed, writers: 32 },
);
await embedded.close();
await rm(folder, { recursive: true });

const { answers, imports, residentBytes } = result;
const fifth = Math.floor(residentBytes.length / 5);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const early = mean(residentBytes.slice(fifth, 2 * fifth));
const late = mean(residentBytes.slice(-fifth));
const list = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} × ${Math.round(count)}`)
    .join(', ');
notify(`Seed ${seed}, ${seconds} s`);
notify(`  faults: ${list(result.faults)}`);
notify(`  answers: ${list(answers.byStatus)}`);
notify(
  `  longest: ${Object.entries(answers.longestMs)
    .map(([route, ms]) => `${route} ${Math.round(ms)} ms`)
    .join(', ')}`,
);
notify(
  `  ${result.acknowledged} orders, ${result.merged} merges and ${result.enrollments} enrollments acknowledged`,
);
notify(`  imports: ${imports.done} done, ${imports.failed} failed`);
notify(`  memory: ${Math.round(early / 1e6)} MB early, ${Math.round(late / 1e6)} MB late`);

promise('no acknowledged order is lost', result.lost.length === 0 && result.acknowledged > 0, result.lost);
promise('no order is doubled', result.doubled.length === 0, result.doubled);
promise('every acknowledged merge is stored', result.unmerged.length === 0, result.unmerged);
promise('one subscription, however often it was asked for', result.subscriptions === 1);
promise('200 or 503 with Retry-After, nothing else', answers.wrong.length === 0, answers.wrong);
promise('imports are stored whole or fail in one line', imports.wrong.length === 0, imports.wrong);
const longestMs = Math.max(...Object.values(answers.longestMs));
promise(`everybody is answered within ${answerMsAtMost / 1000} s`, longestMs <= answerMsAtMost);
promise(
  `readiness is answered within ${readinessMsAtMost / 1000} s`,
  (answers.longestMs.readiness ?? 0) <= readinessMsAtMost,
);
promise('memory does not grow', late <= early * growthAtMost);
promise('no fault goes unhandled, and the server stops when asked', result.exitCode === 0);
process.exitCode = broken > 0 ? 1 : 0;
