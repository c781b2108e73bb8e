// @module-tag all
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { executable } from '../kit/process.js';

/** Runs a program in a Node that claims to be another version. */
function runAs(version: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return new Promise((resolve) => {
    const argv = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, ...args];
    const child = execFile(process.execPath, argv, (_, stdout, stderr) =>
      resolve({ code: child.exitCode!, stdout, stderr }),
    );
  });
}

it('the command says in one line that a Node is too old, and which one it needs', async () => {
  expect(await runAs('20.18.9', [executable])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'orderbeacon: This is Node 20.18.9, but Orderbeacon needs Node 20.19 or newer. See: https://nodejs.org/en/download\n',
  });
});

it('the command runs with the oldest Node that it needs, and with any newer one', async () => {
  const { version: own } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const version of ['20.19.0', '22.0.0', '100.1.0']) {
    const { code, stdout } = await runAs(version, [executable, '--version']);
    expect([code, stdout]).toEqual([0, `${own}\n`]);
  }
});
