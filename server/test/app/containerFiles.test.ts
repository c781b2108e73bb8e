import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '../../src/config.js';
import { connectionBounds } from '../../src/http/connectionBounds.js';
import { exampleOf } from '../kit/examples.js';

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathOf(name), 'utf8');

/** Settings that an image sets itself: its address, a database elsewhere, and the settings from the environment. */
const fixedInside = ['HOST', 'PORT', 'ORDERBEACON_DATA_DIR', 'ORDERBEACON_ENV_FILE'];

it('compose.yaml passes every setting on, and an unset one as unset', () => {
  const { environment } = parse(read('compose.yaml')).services.orderbeacon as {
    environment: Record<string, string | null>;
  };
  const passed = Object.keys(environment);
  expect(passed.sort()).toEqual(settingNames.filter((name) => !fixedInside.includes(name)).sort());
  // A name without a value passes on the variable of the same name, set or unset.
  const made = passed.filter((name) => environment[name] !== null);
  expect(made).toEqual(['DATABASE_URL', 'PUBLIC_URL']);
  expect(environment.DATABASE_URL).toMatch(/@postgres:5432\/orderbeacon$/);
  expect(environment.PUBLIC_URL).toMatch(/^\$\{PUBLIC_URL:-http:.*\}$/);
});

it('compose.yaml and the guide’s docker run take every right from the server that it does not need', () => {
  const { services } = parse(read('compose.yaml'));
  const unprivileged = { cap_drop: ['ALL'], security_opt: ['no-new-privileges'] };
  expect(services.orderbeacon).toMatchObject({
    ...unprivileged,
    init: true,
    read_only: true,
    tmpfs: ['/tmp'],
  });
  expect(services.postgres).toMatchObject(unprivileged);
  const flags = [
    '--init',
    '--read-only',
    '--tmpfs /tmp',
    '--cap-drop ALL',
    '--security-opt no-new-privileges',
  ];
  for (const flag of flags)
    expect(exampleOf('server/guides/deploying.md', 'docker-run')).toContain(` ${flag} `);
});

it('the unit’s limit of open files is above the connections that the server takes', () => {
  const [, limit] = /^LimitNOFILE=(\d+)$/m.exec(read('orderbeacon.service'))!;
  expect(Number(limit)).toBeGreaterThan(2 * connectionBounds.connections);
});

// Without systemd (Debian: apt-get install systemd) the tests are skipped; on CI they fail.
const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;
describe.skipIf(!hasSystemd && process.env.CI !== 'true')('the systemd unit', () => {
  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', [...args, pathOf('orderbeacon.service')], { encoding: 'utf8' });

  it('has only settings that systemd knows', () => {
    const { status, stderr } = analyze('verify');
    expect(status).toBe(0);
    expect(stderr.split('\n').filter((line) => line.includes('orderbeacon.service'))).toEqual([]);
  });

  it('is exposed no more than 1.3 of 10, as systemd rates it', () => {
    const { status, stdout } = analyze('security', '--offline=yes', '--threshold=13', '--no-pager');
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/✗ PrivateIPC/)]);
  });
});
