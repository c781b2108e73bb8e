// @module-tag long
import { expect, it } from 'vitest';
import { exampleOf, readCrontab } from '../kit/examples.js';
import { bootSystemd, canBoot } from '../kit/systemd.js';

const checkout = '/opt/orderbeacon-checkout';
const here = '/opt/orderbeacon';

/** Installs the last release in a separate folder, with the packages of this checkout. */
const installLast = `
mkdir -p ${here}/node_modules ${here}/server/bin
mount --bind ${checkout}/node_modules ${here}/node_modules
cp ${checkout}/server/orderbeacon.service ${here}/server
cd ${here}/server
node --input-type=module -e "
  import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
  import { dirname } from 'node:path';
  import { gunzipSync } from 'node:zlib';
  const folder = '${checkout}/server/test/releases/';
  const files = JSON.parse(gunzipSync(readFileSync(folder + readdirSync(folder)[0])));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }"
printf '#!/usr/bin/env node\\nimport "../dist/code/orderbeacon.js";\\n' > bin/orderbeacon.js
chmod +x bin/orderbeacon.js`;
/** Replaces it with this release. */
const installThis = `rm -rf ${here}/server/* && mkdir ${here}/sdk
for part in server sdk; do mount --bind ${checkout}/$part ${here}/$part; done`;

/** The beginning of a command that runs it as the service's user, as in the guide. */
const user =
  'runuser -u orderbeacon -- env ORDERBEACON_DATA_DIR=/var/lib/orderbeacon ORDERBEACON_ENV_FILE=/etc/orderbeacon.env';

/** Opens a machine on which the guide's lines have installed the last release as a service. */
async function openMachine() {
  const { run } = await bootSystemd();
  const asUser = (line: string) => run(`cd ${here} && ${user} ${line}`);
  const command = async (line: string) =>
    JSON.parse(await asUser(`node_modules/.bin/orderbeacon ${line} --json`));
  const untilReady = () =>
    run(`curl --silent --fail --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:8787/readyz ||
      { journalctl --unit orderbeacon --no-pager --lines 40 >&2; exit 1; }`);
  await run(installLast);
  await run(exampleOf('server/guides/deploying.md', 'systemd'));
  await untilReady();
  const { id: teamId } = await command('team create --name Shop --domain shop.example');
  const { key } = await command(`key create --team ${teamId}`);
  return {
    run,
    asUser,
    command,
    untilReady,
    teamId,
    report: async (orderId: string) => {
      const body = JSON.stringify({ teamId, email: `${orderId}@buyer.example`, amount: 1, orderId });
      const answer = await run(
        `curl --silent http://127.0.0.1:8787/svc-api/v1/orders -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`,
      );
      expect(answer).toContain('"success":true');
    },
    orders: async () =>
      (await command(`order list --team ${teamId}`))
        .map((order: { orderId: string }) => order.orderId)
        .sort(),
  };
}

it.skipIf(!canBoot)(
  'the unit keeps each order and the data folder through a stop, a kill, an upgrade from the last release, and a restart during a backup',
  async () => {
    const { run, asUser, command, untilReady, teamId, report, orders } = await openMachine();
    await report('a-start');
    expect(await run('stat --format "%U %a" /var/lib/orderbeacon /etc/orderbeacon.env')).toBe(
      'orderbeacon 700\nroot 640\n',
    );

    // The steps of upgrading.md: a backup, the new release over the old one, a stop, a start, and the doctor.
    await run(exampleOf('server/guides/backup.md', 'backup-folder'));
    await asUser('node_modules/.bin/orderbeacon backup /var/backups/orderbeacon/before.gz');
    await run(`systemctl stop orderbeacon`);
    expect(
      await run('systemctl show --property Result,ExecMainStatus orderbeacon; pgrep -c postgres || true'),
    ).toBe('Result=success\nExecMainStatus=0\n0\n');
    await run(`${installThis}\nsystemctl start orderbeacon`);
    await untilReady();
    await report('b-upgraded');
    const checks: { check: string; ok: boolean }[] = await command('doctor');
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(await orders()).toEqual(['a-start', 'b-upgraded']);

    // systemd restarts a server that was killed.
    await run('systemctl kill --signal KILL --kill-whom main orderbeacon && sleep 1');
    await untilReady();
    await report('c-killed');
    expect(await orders()).toEqual(['a-start', 'b-upgraded', 'c-killed']);

    // A backup whose reader waits. It is larger than a pipe's buffer. The service is restarted during it.
    await run(
      '{ echo email; for n in $(seq 60000); do echo "$n$RANDOM$RANDOM@buyer.example"; done; } > /tmp/people.csv',
    );
    await asUser(`node_modules/.bin/orderbeacon person import --team ${teamId} /tmp/people.csv`);
    await run(`cd ${here}
      mkfifo /tmp/pipe
      { ${user} node_modules/.bin/orderbeacon backup - > /tmp/pipe 2> /tmp/said || true; touch /tmp/ended; } &> /dev/null &
      { head -c 1; touch /tmp/began; while [ ! -e /tmp/go ]; do sleep 0.1; done; cat; } < /tmp/pipe > /tmp/whole.gz 2> /dev/null &
      while [ ! -e /tmp/began ]; do sleep 0.1; done`);
    await run('systemctl restart orderbeacon');
    // It joins the PostgreSQL of the start before, which the unit hides from it, and has to stop that one in the end.
    await untilReady();
    await run('touch /tmp/go');
    await report('d-restarted');
    expect(await run('while [ ! -e /tmp/ended ]; do sleep 0.1; done; cat /tmp/said')).toMatch(
      /^Wrote \d+ rows/m,
    );
    await run('gzip --test /tmp/whole.gz');
    expect(await orders()).toEqual(['a-start', 'b-upgraded', 'c-killed', 'd-restarted']);

    // The line of cron prints nothing, works while the service runs, and its file is complete.
    const { path, command: nightly } = readCrontab(exampleOf('server/guides/backup.md', 'nightly-backup'));
    await run('touch -d "40 days ago" /var/backups/orderbeacon/before.gz');
    const cron = `runuser -u orderbeacon -- env -i PATH=${path} /bin/sh -c '${nightly}' 2>&1`;
    expect(await run(cron)).toBe('');
    const files = (await run('ls /var/backups/orderbeacon')).trim();
    expect(files).toMatch(/^\d{4}-\d\d-\d\d\.gz$/);
    const restored = 'env ORDERBEACON_DATA_DIR=/tmp/restored node_modules/.bin/orderbeacon';
    await run(`install --directory --owner orderbeacon /tmp/restored`);
    await asUser(`${restored} restore /var/backups/orderbeacon/${files}`);
    expect(JSON.parse(await asUser(`${restored} order list --team ${teamId} --json`))).toHaveLength(4);

    await run('systemctl stop orderbeacon');
    expect(await run('pgrep -c postgres || true')).toBe('0\n');
  },
);
