import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporaryFolder.js';

const nobody = { uid: 65534, gid: 65534 };
/** True for root. It makes the namespace, as systemd does, and another user looks, because the maker may see into it. */
const canMake = process.getuid?.() === 0 && spawnSync('unshare', ['--user', 'true']).status === 0;

// Linux alone has user namespaces, and only root may fill one for another user.
it.skipIf(!canMake)(
  'a PostgreSQL in another user namespace, as systemd’s PrivateUsers makes, counts as the one of its folder',
  async () => {
    const folder = temporaryFolder();
    const cluster = join(folder, 'cluster');
    mkdirSync(cluster);
    chownSync(cluster, nobody.uid, nobody.gid);
    for (const name of ['postgres', 'another']) {
      copyFileSync('/bin/sleep', join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    const postmaster = new URL('../dist/embedded/postmaster.js', import.meta.url).href;

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
      const script = `import { isPostmasterOf } from ${JSON.stringify(postmaster)};
        process.stdout.write(String(isPostmasterOf(${JSON.stringify(cluster)}, ${child.pid})));`;
      const asked = spawn(process.execPath, ['--input-type=module', '-e', script], {
        ...nobody,
        cwd: '/',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let answer = '';
      for await (const text of asked.stdout) answer += text;
      expect([name, answer]).toEqual([name, String(isOurs)]);
    }
  },
);
