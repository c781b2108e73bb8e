import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** A recipe's backend as an integrator runs it. */
export interface RunningRecipe {
  url: string;
  /** Its output so far. */
  output(): string;
  close(): Promise<void>;
}

/**
 * Runs the first of these files with Node, in a folder where `@orderbeacon/sdk` is installed and a stand-in
 * for `stripe`. Resolves when it prints the port that it listens on.
 */
export async function startRecipe(
  files: Record<string, string>,
  env: Record<string, string>,
): Promise<RunningRecipe> {
  const folder = await mkdtemp(join(tmpdir(), 'orderbeacon-recipe-'));
  const installed = join(folder, 'node_modules');
  await mkdir(join(installed, 'stripe'), { recursive: true });
  await mkdir(join(installed, '@orderbeacon'));
  await symlink(pathOf('../../sdk'), join(installed, '@orderbeacon', 'sdk'));
  await copyFile(pathOf('stripe.mjs'), join(installed, 'stripe', 'index.mjs'));
  await writeFile(join(installed, 'stripe', 'package.json'), '{ "exports": "./index.mjs" }');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);

  const child = spawn(process.execPath, [Object.keys(files)[0]!], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const said = /on port (\d+)\n/.exec(output);
        if (said) resolve(said[1]!);
      });
    }
    child.once('exit', () => reject(new Error(`The recipe ended: ${output}`)));
  });

  return {
    url: `http://127.0.0.1:${port}/`,
    output: () => output,
    async close() {
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
