import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathOf(name), 'utf8');

/** The lines below a key of `compose.yaml`, up to the next key that is not deeper. */
function sectionOf(text: string, key: string): string {
  const [, indent, body] = new RegExp(`^( *)${key}:\\n((?:\\1 +.*\\n|\\n)*)`, 'm').exec(text)!;
  return body!.replace(new RegExp(`^${indent}`, 'gm'), '');
}

/** Settings that an image sets itself: its address, a database elsewhere, and the settings from the environment. */
const fixedInside = ['HOST', 'PORT', 'ORDERBEACON_DATA_DIR', 'ORDERBEACON_ENV_FILE'];

it('compose.yaml passes every setting on, and an unset one as unset', () => {
  const asked = new Set<string>();
  const watched = new Proxy({} as Record<string, string>, {
    get(_, name) {
      asked.add(String(name));
      return undefined;
    },
  });
  readConfig(watched);
  const environment = sectionOf(sectionOf(read('compose.yaml'), 'orderbeacon'), 'environment');
  const passed = [...environment.matchAll(/^ +([A-Z_]+):(?: (.*))?$/gm)].map(([, name, value]) => [
    name!,
    value ?? '',
  ]);
  expect(passed.map(([name]) => name).sort()).toEqual(
    [...asked].filter((name) => !fixedInside.includes(name)).sort(),
  );
  // A name alone is the variable of the same name, unset where that is unset.
  const made = { DATABASE_URL: /@postgres:5432\/orderbeacon$/, PUBLIC_URL: /^\$\{PUBLIC_URL:-http:.*\}$/ };
  for (const [name, value] of passed) {
    expect([name, value]).toEqual([name, expect.stringMatching(made[name as keyof typeof made] ?? /^$/)]);
  }
});

it('compose.yaml starts the server below an init, and keeps backups in a volume that the image lets it write', () => {
  const service = sectionOf(read('compose.yaml'), 'orderbeacon');
  expect(service).toMatch(/^ +init: true$/m);
  expect(sectionOf(service, 'volumes')).toContain('- backups:/backups');
  expect(read('Dockerfile')).toContain('chown node:node /backups');
});

// Without systemd (Debian: apt-get install systemd) a skip; on CI a failure.
const isThere = spawnSync('systemd-analyze', ['--version']).error === undefined;
it.skipIf(!isThere && process.env.CI !== 'true')(
  'the systemd unit has only settings that systemd knows',
  () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', pathOf('orderbeacon.service')], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stderr.split('\n').filter((line) => line.includes('orderbeacon.service'))).toEqual([]);
  },
);
