/**
 * Lints the API's document, as a built server returns it: `npm run lint:openapi`. It uses the rules of Spectral and of the newest
 * Redocly, without their telemetry. npx fetches both, because they would double what `npm ci` installs. The tests use Redocly's
 * rules, too.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { startOrderbeacon } = await import('@orderbeacon/server/testing');
const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-openapi-'));
const document = join(folder, 'openapi.json');
const ruleset = join(folder, 'spectral.json');
const server = await startOrderbeacon();
writeFileSync(document, await (await fetch(`${server.url}/openapi.json`)).text());
await server.stop();
writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
const env = {
  ...process.env,
  SCARF_ANALYTICS: 'false',
  REDOCLY_TELEMETRY: 'off',
  npm_config_ignore_scripts: 'true',
};
const lint = (/** @type {string[]} */ ...args) =>
  execFileSync('npx', ['--yes', ...args], { cwd: folder, env, stdio: 'inherit' });
try {
  lint('@stoplight/spectral-cli@6.16.3', 'lint', document, '--ruleset', ruleset, '--fail-severity=hint');
  lint('@redocly/cli@2.77.0', 'lint', document, '--extends=recommended-strict');
} catch {
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
