import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github/workflows');
const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

interface Job {
  uses?: string;
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  steps?: { run?: string; uses?: string }[];
}
interface Workflow {
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

/** Scripts that a command names and that do not exist. */
function missingScripts(command: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = [...command.matchAll(/\b(?:node|bash|--file) ([\w./-]+)/g)].map(([, path]) => path!);
  const npm = [...command.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name!);
  return [...files.filter((path) => !existsSync(join(root, path))), ...npm.filter((name) => !scripts[name])];
}

describe.each(texts)('the workflow %s', (_name, text) => {
  const { permissions, concurrency, jobs }: Workflow = parse(text);
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  it('runs scripts that exist', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.flatMap(missingScripts)).toEqual([]);
  });

  it('uses actions by their commit, and says their version', () => {
    const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action!);
    expect(used.length).toBeGreaterThan(1);
    const isFixed = (action: string) =>
      action.startsWith('./')
        ? existsSync(join(root, action))
        : /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action);
    expect(used.filter((action) => !isFixed(action))).toEqual([]);
  });

  it('may do no more than read, but for what a job names; runs once per ref, and not for ever', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
    expect(concurrency.group).toContain('github.ref');
    const writes = Object.entries(jobs).flatMap(([job, { permissions: own = {} }]) =>
      Object.keys(own)
        .filter((name) => own[name] === 'write')
        .map((name) => `${job} ${name}`),
    );
    const known = ['npm id-token', 'image id-token', 'image packages', 'notes contents'];
    expect(writes.filter((each) => !known.includes(each))).toEqual([]);
    for (const job of Object.values(jobs)) {
      if (!job.uses) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    }
  });
});
