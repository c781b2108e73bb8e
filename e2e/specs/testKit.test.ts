import { execFile } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../browsers/find.ts';
import { exampleOf } from '../harness/examples.ts';
import { installPackages, type Packages } from '../harness/packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the example project of a shop', () => {
  let packages: Packages;
  let folder: string;
  beforeAll(async () => {
    packages = await installPackages();
    folder = join(packages.host, 'example');
    await cp(join(root, 'e2e/example'), folder, { recursive: true });
    for (const name of ['playwright', 'playwright-core'])
      await symlink(join(root, 'node_modules', name), join(packages.host, 'node_modules', name), 'junction');
  });
  afterAll(() => packages?.close());

  /** Runs the project's tests, and resolves with what they printed, also when they fail. */
  const runTests = async (): Promise<string> => {
    const cli = join(packages.host, 'node_modules/playwright/cli.js');
    const env = { ...process.env, CHROMIUM_PATH: findBrowser('chromium')!, CI: '1' };
    // On a busy machine the server's start, which counts as part of the first test, takes longer than Playwright's 30 s.
    const args = [cli, 'test', '--reporter=line', '--timeout=300000'];
    const running = promisify(execFile)(process.execPath, args, { cwd: folder, env });
    const { stdout, stderr } = await running.catch((failure: { stdout: string; stderr: string }) => failure);
    return stdout + stderr;
  };

  it('finds the order of its page on a server that its tests start from the packed packages', async () => {
    expect(await runTests()).toContain('2 passed');
  });

  it('is the one in the guide', async () => {
    const spec = await readFile(join(root, 'e2e/example/confirmation.spec.ts'), 'utf8');
    const shown = exampleOf('server/guides/testing.md', 'playwright').trim();
    expect(spec.replace(/^ *\/\/ biome-ignore.*\n/m, '')).toContain(shown);
  });
});
