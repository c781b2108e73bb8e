import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporaryFolder.js';

const spaces = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--net'];
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Set if a copy of this machine can be booted: as root of a Linux with systemd, and not in most containers. */
export const canBoot =
  process.getuid?.() === 0 &&
  spawnSync('/lib/systemd/systemd', ['--version']).status === 0 &&
  spawnSync('unshare', [...spaces, '--fork', 'mount', '--make-rprivate', '/']).status === 0;

/**
 * Boots systemd on a copy of this machine, which ends with the test. `run` runs lines of the shell there as root, and resolves
 * with their output.
 */
export async function bootSystemd(): Promise<{ run(lines: string): Promise<string> }> {
  const args = [pathOf('bootSystemd.sh'), temporaryFolder(), pathOf('../../..')];
  const child = spawn('unshare', [...spaces, '--fork', '--kill-child', 'bash', ...args], { stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  await expect.poll(first).not.toBe('');
  const enter = [
    '--target',
    first(),
    '--mount',
    '--pid',
    '--cgroup',
    '--uts',
    '--ipc',
    '--net',
    '--root',
    '--wd',
  ];
  async function run(lines: string): Promise<string> {
    const { stdout } = await promisify(execFile)('nsenter', [
      ...enter,
      'bash',
      '-euo',
      'pipefail',
      '-c',
      lines,
    ]);
    return stdout;
  }
  await expect.poll(() => run('systemctl is-active multi-user.target').catch(() => '')).toBe('active\n');
  return { run };
}
