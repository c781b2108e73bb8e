import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '../src/config.js';
import { connectionBounds } from '../src/http/connectionBounds.js';
import { exampleOf } from './examples.js';

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
  const environment = sectionOf(sectionOf(read('compose.yaml'), 'orderbeacon'), 'environment');
  const passed = [...environment.matchAll(/^ +([A-Z_]+):(?: (.*))?$/gm)].map(([, name, value]) => [
    name!,
    value ?? '',
  ]);
  expect(passed.map(([name]) => name).sort()).toEqual(
    settingNames.filter((name) => !fixedInside.includes(name)).sort(),
  );
  // A name alone is the variable of the same name, unset where that is unset.
  const made = { DATABASE_URL: /@postgres:5432\/orderbeacon$/, PUBLIC_URL: /^\$\{PUBLIC_URL:-http:.*\}$/ };
  for (const [name, value] of passed) {
    expect([name, value]).toEqual([name, expect.stringMatching(made[name as keyof typeof made] ?? /^$/)]);
  }
});

/** The rights that are taken from the server's container; `.github/tryImage.sh` tries it without them. */
const hardening = {
  'read-only': null,
  tmpfs: '/tmp',
  'cap-drop': 'ALL',
  'security-opt': 'no-new-privileges',
};

it('compose.yaml starts the server below an init, and keeps backups in a volume that the image lets it write', () => {
  const service = sectionOf(read('compose.yaml'), 'orderbeacon');
  expect(service).toMatch(/^ +init: true$/m);
  expect(sectionOf(service, 'volumes')).toContain('- backups:/backups');
  expect(read('Dockerfile')).toContain('mkdir -m 1777 /image/backups');
});

it('compose.yaml and the guide’s docker run take every right from the server that it does not need', () => {
  const { services } = parse(read('compose.yaml'));
  expect(services.orderbeacon).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges'],
  });
  expect(services.postgres).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges'] });
  const run = exampleOf('server/guides/deploying.md', 'docker-run').replaceAll('\\\n', ' ');
  for (const [name, value] of Object.entries(hardening))
    expect(run).toMatch(new RegExp(`--${name}${value === null ? '' : ` ${value}`}\\s`));
  expect(run).toMatch(/--init\s/);
  expect(run).toMatch(/:\/backups\s/);
});

it('the image and PostgreSQL are named by their full versions, and the image says what it is', () => {
  expect(read('Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/m);
  expect(parse(read('compose.yaml')).services.postgres.image).toMatch(/^postgres:\d+\.\d+-\w+$/);
  const labels = [...read('Dockerfile').matchAll(/org\.opencontainers\.image\.([\w.]+)=/g)].map(
    ([, name]) => name,
  );
  expect(labels.sort()).toEqual(
    'base.name description documentation licenses revision source title url version'.split(' '),
  );
  expect(read('Dockerfile')).toContain('server/LICENSE .');
});

/** A manifest of the repository. */
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(new URL(`../../${folder}package.json`, import.meta.url), 'utf8'));

it.each(['sdk', 'server'])('the manifest of %s says what npm shows and asks for', (name) => {
  const repository = manifestOf('').repository.url;
  expect(manifestOf(`${name}/`)).toMatchObject({
    name: `@orderbeacon/${name}`,
    license: 'MIT',
    engines: { node: '>=20.19' },
    repository: { type: 'git', url: repository, directory: name },
    homepage: expect.stringMatching(/^https:\/\/github\.com\/.+#readme$/),
    bugs: { url: expect.stringMatching(/^https:\/\/github\.com\/.+\/issues$/) },
    publishConfig: { access: 'public', provenance: true },
    files: expect.arrayContaining(['dist', 'CHANGELOG.md']),
  });
});

it.each(['sdk', 'server'])('packing %s finds its licence there, and writes nothing beside it', (name) => {
  const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(textOf(`${name}/LICENSE`)).toBe(textOf('LICENSE'));
  expect(Object.keys(manifestOf(`${name}/`).scripts)).not.toContain('prepack');
});

describe('the folder of an installation', () => {
  const { files } = manifestOf('server/');
  const program = 'node_modules/@orderbeacon/server/bin/orderbeacon.js';

  it('has the unit, the image and the compose file, in a checkout and in the package', () => {
    for (const name of ['orderbeacon.service', 'Dockerfile', 'compose.yaml']) {
      expect([name, files.includes(name), existsSync(pathOf(name))]).toEqual([name, true, true]);
    }
  });

  it('has the program under the path that unit and image start, in a checkout and in the package', () => {
    expect(read('orderbeacon.service')).toContain(`\nExecStart=/usr/bin/env node ${program} serve\n`);
    expect(read('Dockerfile')).toContain(`ENTRYPOINT ["node", "${program}"]`);
    expect(realpathSync(pathOf(`../${program}`))).toBe(pathOf('bin/orderbeacon.js'));
    expect(files).toContain('bin');
  });
});

it('the unit’s limit of open files is above the connections that the server takes', () => {
  const [, limit] = /^LimitNOFILE=(\d+)$/m.exec(read('orderbeacon.service'))!;
  expect(Number(limit)).toBeGreaterThan(2 * connectionBounds.connections);
});

// Without systemd (Debian: apt-get install systemd) a skip; on CI a failure.
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
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/✗ (?:RemoveIPC|PrivateIPC)/)]);
  });
});
