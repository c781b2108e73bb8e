import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exampleOf } from '../kit/examples.js';
import { startHttp } from '../kit/http.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a package registry without packages, which records the requests. */
async function startRegistry() {
  const asked: string[] = [];
  const { url } = await startHttp((request, response) => {
    asked.push(request.url!);
    response.writeHead(404).end('{}');
  });
  return { url, asked };
}

/** Runs a line of the README in a shell. Resolves with its exit code. */
async function runIn(folder: string, line: string, registry: string) {
  const env = { PATH: process.env.PATH, npm_config_registry: registry, npm_config_cache: temporaryFolder() };
  const child = execFile('sh', ['-c', line], { cwd: folder, env });
  child.stdin!.end();
  const [code] = await once(child, 'close');
  return code;
}

it('the command as the README writes it runs what is installed, and elsewhere asks no registry for its name', {
  tags: ['all'],
}, async () => {
  const { url, asked } = await startRegistry();
  const line = exampleOf('README.md', 'list');
  expect(await runIn(root, `${line} --help`, url)).toBe(0);
  expect(await runIn(temporaryFolder(), `${line} --help`, url)).toBe(127);
  expect(asked).toEqual([]);
  // This is how the registry would be asked.
  await runIn(temporaryFolder(), 'npx --no orderbeacon team list', url);
  expect(asked).not.toEqual([]);
});
