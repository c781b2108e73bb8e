// @module-tag all
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { dataFolder } from '../kit/dataFolder.js';
import { startUser } from '../kit/embeddedProcesses.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const unprivileged = { uid: 65534, gid: 65534 };
/** Set for root. Root makes the namespace, as systemd does, and another user looks, because the maker may look into it. */
const canMake = process.getuid?.() === 0 && spawnSync('unshare', ['--user', 'true']).status === 0;

// Only Linux has user namespaces, and only root may create one for another user.
it.skipIf(!canMake)(
  'a PostgreSQL in another user namespace, as systemd’s PrivateUsers makes, counts as the one of its folder, and is known if it is hidden, too',
  async () => {
    const folder = temporaryFolder();
    const cluster = join(folder, 'cluster');
    mkdirSync(cluster);
    chownSync(cluster, unprivileged.uid, unprivileged.gid);
    for (const name of ['postgres', 'another']) {
      copyFileSync('/bin/sleep', join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    const postmaster = new URL('../../dist/embedded/postmaster.js', import.meta.url).href;

    for (const [name, isOurs] of [
      ['postgres', true],
      ['another', false],
    ] as const) {
      const program = `echo; read -r go; exec setpriv --reuid 65534 --regid 65534 --clear-groups "${folder}/${name}" 600`;
      const child = spawn('unshare', ['--user', 'sh', '-c', program], { cwd: cluster });
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      for (const map of ['uid_map', 'gid_map']) {
        writeFileSync(`/proc/${child.pid}/${map}`, '0 0 1\n65534 65534 1\n');
      }
      child.stdin.end('go\n');
      const comm = () => spawnSync('cat', [`/proc/${child.pid}/comm`], { encoding: 'utf8' }).stdout;
      await expect.poll(comm).toBe(`${name}\n`);
      const script = `import { isHidden, isPostmasterOf } from ${JSON.stringify(postmaster)};
        const answers = [isPostmasterOf(${JSON.stringify(cluster)}, ${child.pid}), isHidden(${child.pid}), isHidden(1)];
        process.stdout.write(JSON.stringify(answers));`;
      const ask = (before: string) => {
        const line = `${before} exec setpriv --reuid 65534 --regid 65534 --clear-groups "$0" --input-type=module -e "$1"`;
        const args = ['--mount', 'sh', '-euc', line, process.execPath, script];
        return JSON.parse(spawnSync('unshare', args, { cwd: '/', encoding: 'utf8' }).stdout);
      };
      expect([name, ask('')]).toEqual([name, [isOurs, false, false]]);
      // As ProtectProc=invisible: a process of the same user is hidden, and that of another one is unprivileged's business.
      const hiding = 'mount -t proc -o hidepid=invisible proc /proc;';
      expect([name, ask(hiding)]).toEqual([name, [false, true, false]]);
    }
  },
);

const container = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];
const hasContainers =
  process.getuid?.() === 0 && spawnSync('unshare', [...container.slice(1), 'true']).status === 0;

it.skipIf(!hasContainers)(
  'two containers on one volume share one PostgreSQL, and one goes on when the other is killed with it',
  async () => {
    const dataDir = await dataFolder('initialised');
    const first = await startUser(dataDir, container);
    await first.query('create table kept as select 1 as one');
    const second = await startUser(dataDir, container);
    const at = 'select pg_postmaster_start_time()::text as at';
    expect(await second.query(at)).toEqual(await first.query(at));
    await first.kill();
    const read = () => second.query('select one from kept');
    await expect.poll(read).toEqual([{ one: 1 }]);
    expect(await first.query(at)).toEqual({ ended: true });
    await second.close();
    const { sql, close } = await openDatabase({ databaseUrl: null, dataDir });
    expect(await sql`select one from kept`).toEqual([{ one: 1 }]);
    await close();
  },
);
