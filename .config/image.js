/*
 * Builds server/Dockerfile from the tarballs in `.packages` with podman and tries the image, with the rights that the guide
 * and compose.yaml leave it: an order, SIGTERM at any moment, a backup out of it and back in, compose.yaml.
 * `npm run image -- --stand-in` takes base images made of Debian's packages where no registry is reached (apt-get install
 * podman runc mmdebstrap tini, and podman-compose, netavark, aardvark-dns, iptables for compose.yaml). As root; ends with 1
 * if a promise is broken. `npm test` does not run it.
 *
 * What has run: podman 4.3.1 with runc 1.1.5, podman-compose 1.0.3 and netavark 1.4.0 on Debian 12, with stand-in bases
 * (Node 20.20.2, PostgreSQL 15); podman there had no systemd, so that nothing waited for a healthy PostgreSQL. Not: Docker
 * itself, and the official images.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeStandInBases } from './image/standInBases.js';

const folder = '/var/tmp/orderbeacon-image';
const root = new URL('..', import.meta.url).pathname;
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const bases = {
  node: `docker.io/library/${/^ARG NODE_IMAGE=(\S+)$/m.exec(read('server/Dockerfile'))?.[1]}`,
  postgres: `docker.io/library/${/^ +image: (postgres:\S+)$/m.exec(read('server/compose.yaml'))?.[1]}`,
};
const isStandIn = process.argv.includes('--stand-in');
mkdirSync(folder, { recursive: true });

// Some machines let no container raise its limits, and podman has no setting that leaves them alone.
const runtime = join(folder, 'runc');
writeFileSync(
  runtime,
  `#!/bin/bash
for ((i = 1; i <= $#; i++)); do
  j=$((i + 1))
  case "\${!i}" in
    --bundle) sed -i 's/"rlimits":\\[[^]]*\\]/"rlimits":[]/' "\${!j}/config.json" ;;
    --process) sed -i 's/"rlimits":\\[[^]]*\\]/"rlimits":[]/' "\${!j}" ;;
  esac
done
exec runc "$@"
`,
);
chmodSync(runtime, 0o755);
const settings = join(folder, 'containers.conf');
writeFileSync(
  settings,
  `[containers]\ninit_path = "/usr/bin/tini-static"\n[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc-plain"\n[engine.runtimes]\nrunc-plain = ["${runtime}"]\n`,
);
const storage = join(folder, 'storage.conf');
writeFileSync(
  storage,
  `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
);
const env = { ...process.env, CONTAINERS_CONF: settings, CONTAINERS_STORAGE_CONF: storage };

/** @param {string[]} args */
const podman = (...args) => {
  const { status, stdout, stderr } = spawnSync('podman', ['--log-level=error', ...args], {
    env,
    maxBuffer: 1e9,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr.slice(-2000)}`);
  return stdout.trim();
};
/** @param {string[]} args */
const tryPodman = (...args) => spawnSync('podman', ['--log-level=error', ...args], { env, encoding: 'utf8' });

const certificates = '/etc/ssl/certs/ca-certificates.crt';
/** @type {(context: string, name: string, ...more: string[]) => string} */
const build = (context, name, ...more) =>
  podman('build', '--network=host', '--isolation=chroot', ...more, '-t', name, context);

/** The npm of the build trusts the certificates that this machine trusts. */
function buildImage() {
  const trust = existsSync(certificates)
    ? ['-v', '/etc/ssl/certs:/etc/ssl/certs:ro', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`]
    : [];
  const context = join(root, '.packages');
  const as = ['--build-arg', 'VERSION=1.2.3', '--build-arg', 'REVISION=abc'];
  const file = join(root, 'server/Dockerfile');
  build(
    context,
    'localhost/orderbeacon',
    '--format',
    'docker',
    '--pull=missing',
    ...as,
    ...trust,
    '-f',
    file,
  );
}

/** The rights that are taken from the container, as in the guide and in compose.yaml. */
const hardening = [
  '--read-only',
  ...['--tmpfs', '/tmp'],
  ...['--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges'],
];

let broken = 0;
/** @param {string} what @param {boolean} isKept */
function promise(what, isKept, evidence = '') {
  if (!isKept) broken++;
  process.stdout.write(`  ${isKept ? 'kept  ' : 'BROKEN'}  ${what}${evidence && ` (${evidence})`}\n`);
}

const network = 'orderbeacon-image';
const password = 'secret';
/** @param {string} host */
const url = (host) => `postgres://orderbeacon:${password}@${host}:5432/orderbeacon`;
/** @type {string[]} */
const started = [];
/** @param {string} name @param {string} image @param {string[]} args */
function start(name, image, ...args) {
  started.push(name);
  podman('run', '-d', '--name', name, '--pull=never', '--network', network, ...args, image);
}
/** @param {string} what @param {() => boolean} isSo */
async function until(what, isSo) {
  for (let tries = 0; tries < 300; tries++) {
    if (isSo()) return;
    await delay(200);
  }
  throw new Error(`${what} did not come about`);
}
/** @type {(name: string, ...args: string[]) => string} */
const command = (name, ...args) => podman('exec', name, 'node_modules/.bin/orderbeacon', ...args);
/** @param {string} name */
const isHealthy = (name) => tryPodman('healthcheck', 'run', name).status === 0;
/** @param {string} name */
async function startPostgres(name) {
  const of = { POSTGRES_USER: 'orderbeacon', POSTGRES_PASSWORD: password, POSTGRES_DB: 'orderbeacon' };
  start(name, bases.postgres, ...Object.entries(of).flatMap(([key, value]) => ['-e', `${key}=${value}`]));
  const isUp = () => tryPodman('exec', name, 'pg_isready', '-U', 'orderbeacon').status === 0;
  await until('PostgreSQL', isUp);
}

function cleanUp() {
  for (const name of started) tryPodman('rm', '-f', '-t', '0', name);
  tryPodman('network', 'rm', '-f', network);
  tryPodman('volume', 'rm', '-f', 'orderbeacon-image-backups');
}

/** A program that sends an order as a page does, and prints the status. @param {string} teamId */
const sendOrder = (teamId) => `
  const sent = await fetch('http://127.0.0.1:8787/svc-api/v1/orders', {
    method: 'POST',
    headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
    body: JSON.stringify({ teamId: '${teamId}', email: 'ann@shop.example', amount: 49.9, orderId: '1001' }),
  });
  console.log(sent.status);`;

try {
  if (isStandIn) makeStandInBases(folder, bases, build);
  buildImage();
  /** @param {string} name */
  const sizeOf = (name) => Number(podman('image', 'inspect', name, '--format', '{{.Size}}')) / 1e6;
  const own = sizeOf('localhost/orderbeacon') - sizeOf(bases.node);
  promise('the image adds less than 25 MB to its base', own < 25, `${own.toFixed(1)} MB`);
  const { Config } = JSON.parse(podman('image', 'inspect', 'localhost/orderbeacon'))[0];
  const label = (/** @type {string} */ name) => Config.Labels[`org.opencontainers.image.${name}`];
  promise(
    'its labels name version, revision, source, licence and base',
    ['version', 'revision', 'licenses'].map(label).join() === '1.2.3,abc,MIT' &&
      label('source').startsWith('https://') &&
      label('base.name') === bases.node,
    JSON.stringify(Config.Labels),
  );

  tryPodman('network', 'rm', '-f', network);
  podman('network', 'create', network);
  await startPostgres('ob-postgres');
  /** @param {string} host */
  const settingsOf = (host) => ['--init', ...hardening, '-e', `DATABASE_URL=${url(host)}`];
  const volume = ['-v', 'orderbeacon-image-backups:/backups'];
  start('ob-server', 'localhost/orderbeacon', ...settingsOf('ob-postgres'), ...volume);
  await until('a healthy server', () => isHealthy('ob-server'));
  promise('the health check turns green', true);
  const { id } = JSON.parse(command('ob-server', 'team', 'create', '--name', 'Shop', '--json'));
  command('ob-server', 'domain', 'add', '--team', id, 'shop.example');
  const status = podman('exec', 'ob-server', 'node', '--input-type=module', '-e', sendOrder(id));
  promise('an order is stored', status === '200', `status ${status}`);
  promise('it runs as uid 1000', podman('exec', 'ob-server', 'id', '-u') === '1000');
  promise('its licence is in it', podman('exec', 'ob-server', 'cat', 'LICENSE').startsWith('MIT License'));
  promise('it cannot write beside its volumes', tryPodman('exec', 'ob-server', 'touch', 'x').status !== 0);
  const asOther = ['exec', '-u', '12345', 'ob-server', 'touch', '/backups/x'];
  promise('another user can write backups', tryPodman(...asOther).status === 0);

  command('ob-server', 'backup', '/backups/volume.gz');
  const out = join(folder, 'out.gz');
  execFileSync(
    'sh',
    ['-c', `podman --log-level=error exec ob-server node_modules/.bin/orderbeacon backup - > ${out}`],
    { env, stdio: ['ignore', 'inherit', 'ignore'] },
  );
  podman('cp', out, 'ob-server:/backups/out.gz');
  for (const file of ['volume.gz', 'out.gz']) {
    const name = `ob-restored-${file.split('.')[0]}`;
    await startPostgres(name);
    const run = [
      'run',
      '--rm',
      '--pull=never',
      '--network',
      network,
      ...settingsOf(name),
      ...volume,
      'localhost/orderbeacon',
    ];
    podman(...run, 'restore', `/backups/${file}`);
    const orders = JSON.parse(podman(...run, 'order', 'list', '--team', id, '--json'));
    promise(
      `a backup of ${file === 'out.gz' ? 'backup -' : 'the volume'} brings the order back`,
      orders.length === 1 && orders[0].orderId === '1001',
    );
  }

  podman('kill', '-s', 'TERM', 'ob-server');
  const code = podman('wait', 'ob-server');
  promise('SIGTERM ends a running server with 0', code === '0', `code ${code}`);
  const codes = [];
  for (const afterMs of [0, 50, 100, 200, 400, 800]) {
    const name = `ob-start-${afterMs}`;
    start(name, 'localhost/orderbeacon', ...settingsOf('ob-postgres'));
    await delay(afterMs);
    podman('kill', '-s', 'TERM', name);
    const sinceMs = performance.now();
    const ended = podman('wait', name);
    codes.push(`${ended} in ${Math.round(performance.now() - sinceMs)} ms`);
  }
  promise(
    'SIGTERM during the start ends it',
    codes.every((each) => /^(0|143) /.test(each)),
    codes.join(', '),
  );

  if (spawnSync('podman-compose', ['--help']).error === undefined) {
    /** @param {string[]} args */
    const compose = (...args) =>
      spawnSync('podman-compose', ['-p', 'obcompose', '-f', join(root, 'server/compose.yaml'), ...args], {
        env: {
          ...env,
          ORDERBEACON_IMAGE: 'localhost/orderbeacon',
          POSTGRES_PASSWORD: password,
          PORT: '18787',
          ORDERBEACON_TRUST_PROXY: '1',
          ORDERBEACON_RATE_LIMIT: 'off',
        },
        encoding: 'utf8',
      });
    const up = compose('up', '-d');
    try {
      const isUp = () => spawnSync('curl', ['-sf', 'http://127.0.0.1:18787/readyz']).status === 0;
      await until('compose.yaml', isUp).catch(() => {
        throw new Error(`compose.yaml does not come up: ${up.stderr.slice(-2000)}`);
      });
      const inside = podman('exec', 'obcompose_orderbeacon_1', 'env');
      promise(
        'compose.yaml brings both up and passes settings on',
        inside.includes('ORDERBEACON_TRUST_PROXY=1'),
      );
    } finally {
      compose('down', '-v');
    }
  }
} finally {
  cleanUp();
}
process.exitCode = broken > 0 ? 1 : 0;
