import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, expect, type TestContext } from 'vitest';
import { evidenceFolder } from './evidenceFolder.ts';

/** Files by name. */
export type Evidence = Record<string, string | Buffer>;

/** Writes the files of `witness` after each failed test of this file, and prints their paths. */
export function keepEvidence(witness: () => Promise<Evidence>): void {
  afterEach(async ({ task }: TestContext) => {
    if (task.result?.state === 'fail') writeEvidence(await witness());
  });
}

/** Writes files into a folder of the current test, and prints their paths. */
export function writeEvidence(evidence: Evidence): void {
  const { currentTestName = '', testPath = '' } = expect.getState();
  const spec = /([^/]+)\.test\.ts$/.exec(testPath)?.[1];
  // The name begins with the engine.
  const test = currentTestName.replaceAll(/\W+/g, '-').slice(0, 120);
  const folder = `${evidenceFolder}${spec}/${test}/`;
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(evidence)) {
    writeFileSync(folder + name, content);
    console.error(`Failed, and left ${relative(process.cwd(), folder + name)}`);
  }
}
