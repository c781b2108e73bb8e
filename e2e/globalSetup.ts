import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { buildStale } from '../.config/build.js';
import { type Engine, findBrowser, installHint } from './browsers/find.ts';
import { evidenceFolder } from './harness/evidenceFolder.ts';
import { type RunningOrderbeacon, startCommandRunner, startOrderbeacon } from './harness/orderbeacon.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the project's one server, which the first request starts. */
    orderbeaconOnDemand: string;
    /** The engine of this project; absent if the specs choose their own. */
    engine?: Engine;
  }
}

/** The browser, and the one server that the specs of a project share. */
export default async function setup(project: TestProject) {
  await buildStale();
  findChromium();
  rmSync(evidenceFolder(project.name), { recursive: true, force: true });

  let started: ReturnType<typeof start> | undefined;
  const server = createServer((_, response) => {
    started ??= start();
    started.then(
      ({ running }) => response.end(JSON.stringify(running)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('orderbeaconOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async function teardown() {
    server.close();
    await (await started)?.close();
  };
}

async function start() {
  const [server, commandRunner] = await Promise.all([startOrderbeacon(), startCommandRunner()]);
  const running: RunningOrderbeacon = { ...server.running, commandRunner: commandRunner.url };
  return {
    running,
    async close() {
      commandRunner.close();
      await server.close();
    },
  };
}

/**
 * Installs the one browser that `npm test` needs: Playwright's download if it can be reached, or else Debian's package
 * if this is root on Debian. Firefox and WebKit are tested if they are installed.
 */
function findChromium(): void {
  if (findBrowser('chromium')) return;
  run('npx', ['playwright', 'install', 'chromium']);
  if (!findBrowser('chromium') && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
  }
  if (!findBrowser('chromium')) throw new Error(`No Chromium was found. Run: ${installHint.chromium}`);
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
