// `npm run typecheck`: checks the types of everything, or of the projects that are named.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argv, execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { root } from './freshness.js';

/** The folders whose tsconfig.json checks types. `sdk` and `sdk/client` know nothing of Node, as browsers do not. */
export const projects = ['.config', 'sdk', 'sdk/client', 'sdk/test', 'server/test', 'e2e'];

/** The compiler of TypeScript 7 needs a quarter of the time. It has no JavaScript API, which the SDK's build needs. */
export const compiler = `${root}node_modules/typescript-native/bin/tsc`;

/**
 * Checks the types of a project, only of what changed since its last check.
 * @param {string} project of `projects`
 * @returns {Promise<string>} what the compiler says, with `path(line,column)` each; empty when all types fit
 */
export async function checkTypes(project) {
  const buildInfo = `${root}node_modules/.cache/types/${project.replace('/', '-')}.json`;
  const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo, '--pretty', 'false'];
  const child = spawn(execPath, [compiler, '-p', project, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return code === 0 ? '' : `${out}${errors}` || `The compiler ended with ${code}.`;
}

if (argv[1] === import.meta.filename) {
  const wanted = argv.slice(2);
  for (const project of wanted.length > 0 ? wanted : projects) {
    const mistakes = await checkTypes(project);
    if (!mistakes) continue;
    process.stdout.write(mistakes);
    process.exitCode = 1;
  }
}
