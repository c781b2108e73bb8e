/**
 * `npm run release -- 1.2.3`: makes a release in the working tree. It writes the version everywhere, builds, keeps
 * the SDK's files for ever, runs all tests and packs; it commits, tags, publishes and pushes nothing.
 */
import { execSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleServer } from './release/bundleServer.js';
import { dateChangelogs } from './release/changelogs.js';
import { findObstacle } from './release/findObstacle.js';
import { packTarballs } from './release/packTarballs.js';
import { addReleasedFiles, findChangedFiles } from './release/releasedFiles.js';
import { setVersion } from './release/setVersion.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const asked = process.argv[2];
/** The release's own test puts something quick here; a release for others is tested by `npm test`. */
const testCommand = process.env.ORDERBEACON_RELEASE_TEST ?? 'npm test';

const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
const run = (/** @type {string} */ command) => execSync(command, { cwd: root, stdio: 'inherit' });

/** @param {string} version */
async function release(version) {
  say(`Setting ${version} …`);
  setVersion(root, version);
  dateChangelogs(root, version, new Date().toISOString().slice(0, 10));

  say('Building …');
  for (const folder of ['sdk/dist', 'server/dist'])
    rmSync(join(root, folder), { recursive: true, force: true });
  run('npm run build --silent');
  await addReleasedFiles(root, version);

  say(`Testing: ${testCommand} …`);
  run(testCommand);
  const changed = findChangedFiles(root, version);
  if (changed.length > 0) throw new Error(`the tests built another ${changed.join(' and ')}`);

  await bundleServer(root);

  const packed = packTarballs(root, join(root, '.packages'));
  say(`\n${version} is ready in the working tree, and nothing is published. Its tarballs are in .packages:`);
  for (const { name, sha256 } of packed) say(`  ${sha256}  ${name}`);
  say(`\nLeft to you:
  git diff
  git add --all && git commit -m "Release ${version}"
  git tag v${version}
  git push origin HEAD v${version}
The tag starts the workflow that publishes. Without it, by hand and without provenance:
${packed.map(({ name }) => `  npm publish .packages/${name} --access public --provenance=false`).join('\n')}`);
}

const obstacle = findObstacle(root, asked);
if (!asked || obstacle) {
  process.stderr.write(`${obstacle}\n`);
  process.exitCode = 1;
} else {
  try {
    await release(asked);
  } catch (error) {
    process.stderr.write(`The release stopped: ${error instanceof Error ? error.message : error}
Nothing was committed. This brings the tree back: git restore . && git clean -fd sdk/released\n`);
    process.exitCode = 1;
  }
}
