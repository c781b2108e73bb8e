// `npm run typecheck`: checks the types of everything, or of the projects that are named.
import { spawn } from 'node:child_process';
import { argv, execPath } from 'node:process';
import { root } from './freshness.js';

/** The folders whose tsconfig.json checks types. `sdk` and `sdk/client` know nothing of Node, as browsers do not. */
export const projects = ['.config', 'sdk', 'sdk/client', 'sdk/test', 'server/test', 'e2e'];

/**
 * Checks one project, and only what changed since its last check.
 * @param {string} project one of `projects`
 * @returns {Promise<string>} what the compiler says, with `path(line,column)` each; empty when all types fit
 */
export async function checkTypes(project) {
  const memory = `${root}node_modules/.cache/types/${project.replace('/', '-')}.json`;
  const args = ['-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', memory, '--pretty', 'false'];
  const child = spawn(execPath, [`${root}node_modules/typescript/bin/tsc`, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return output || code === 0 ? output : `tsc ended with ${code}`;
}

if (argv[1] === import.meta.filename) {
  for (const project of argv.length > 2 ? argv.slice(2) : projects) {
    const mistakes = await checkTypes(project);
    if (!mistakes) continue;
    process.stdout.write(mistakes);
    process.exitCode = 1;
  }
}
