/**
 * Makes a release in the working tree: `npm run release -- 0.3.0`. It sets the version, dates the changelogs, installs and
 * builds, adds the SDK's files to those that are kept for ever, runs `npm test` and `npm run test:all`, and packs. It does not
 * commit, tag, publish or push.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from './release/bundleServer.js';
import { addReleasedFiles } from './release/releasedFiles.js';
import { setVersion } from './release/setVersion.js';

const root = join(import.meta.dirname, '..');
const changelogs = ['sdk/CHANGELOG.md', 'server/CHANGELOG.md'];
const run = (/** @type {string} */ command) => execSync(command, { cwd: root, stdio: 'inherit' });

/**
 * Finds the reason why this version cannot be released from this tree, with its remedy. Null if it can.
 * @param {string} version as it was given
 */
function findObstacle(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return 'Name the new version, three numbers: npm run release -- 0.3.0';
  if (existsSync(join(root, 'sdk/released', version)))
    return `${version} was released. A released version never changes.`;
  const changes = execSync('git status --porcelain', { cwd: root, encoding: 'utf8' }).trimEnd();
  if (changes) return `These changes are not committed; commit them, or put them away:\n${changes}`;
  const silent = changelogs.find((path) => {
    const sections = readFileSync(join(root, path), 'utf8').split(/^## /m);
    return !/^- /m.test(sections.find((section) => section.startsWith('Unreleased\n')) ?? '');
  });
  return silent ? `${silent} has nothing under "## Unreleased". Write there what is new.` : null;
}

/** @param {string} version */
async function release(version) {
  setVersion(root, version);
  const today = new Date().toISOString().slice(0, 10);
  for (const path of changelogs) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(root, path), text.replace(/^## Unreleased$/m, `## ${version} (${today})`));
  }
  // No file of an earlier build gets into the packages, and the tools are those of the lockfile.
  run('git clean --force --quiet -dX sdk/dist server/dist');
  run('npm ci');
  await addReleasedFiles(root, version);
  run('npm test');
  run('npm run test:all');
  await bundleServer(root);
  run('npm run pack:all');
}

const [version = ''] = process.argv.slice(2);
const obstacle = findObstacle(version);
if (obstacle) {
  console.error(obstacle);
  process.exitCode = 1;
} else {
  try {
    await release(version);
    console.log(`\n${version} is ready in the working tree, and nothing is published. Left to you:
  git diff
  git add --all && git commit -m "Release ${version}"
  git tag v${version} && git push origin HEAD v${version}
The tag starts the workflow that publishes.`);
  } catch (error) {
    console.error(`The release stopped: ${error instanceof Error ? error.message : error}
Nothing was committed. This brings the tree back: git restore . && git clean -fd sdk/released server/test/releases`);
    process.exitCode = 1;
  }
}
