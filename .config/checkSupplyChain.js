// Part of `npm run check`: no code runs that was not chosen, here, at a reader's or in a release.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const below = (/** @type {string} */ folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const { scripts, allowScripts } = JSON.parse(read('package.json'));

/** @type {string[]} */
const faults = [];

for (const path of below('.github/workflows')) {
  const text = read(path);
  for (const [, action = ''] of text.matchAll(/uses: (.+)$/gm)) {
    const isFixed = action.startsWith('./')
      ? existsSync(join(root, action))
      : /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action);
    if (!isFixed) faults.push(`${path} uses ${action}, which is no commit with its version behind it.`);
  }
  if (!/^permissions:(?: \{\}|\n {2}contents: read)\n(?! )/m.test(text))
    faults.push(`${path} may do more than read.`);
  for (const [, script = ''] of text.matchAll(/(?:npm run|bash \.ci\/run) ([\w:]+)/g))
    if (!scripts[script]) faults.push(`${path} runs the script ${script}, which is not there.`);
}

/** @type {{ packages: Record<string, { hasInstallScript?: boolean }> }} */
const { packages } = JSON.parse(read('package-lock.json'));
for (const [path, { hasInstallScript }] of Object.entries(packages)) {
  const name = path.split('node_modules/').at(-1) ?? '';
  if (hasInstallScript && !(name in allowScripts))
    faults.push(`${name} runs a script at its installation; say in package.json whether it may.`);
}

// If the package is not installed, npx would ask the registry for a package of its bare name, which anybody may own.
const texts = ['README.md', 'server/README.md', 'sdk/README.md', 'sdk/recipes', 'server/src', 'sdk/src'];
for (const path of [...texts, 'server/guides', 'sdk/guides'].flatMap((path) =>
  path.endsWith('.md') ? path : below(path),
)) {
  if (/\.(?:md|tsx?)$/.test(path) && /\bnpx\b[^\n]*\borderbeacon\b/.test(read(path)))
    faults.push(`${path} runs the command by npx.`);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
