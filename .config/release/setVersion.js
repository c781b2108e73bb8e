/** Writes a version into all manifests, their pins and the lockfile: `node .config/release/setVersion.js 0.4.0-dev`. */
import { execSync } from 'node:child_process';
import { argv } from 'node:process';

/**
 * @param {string} root the repository
 * @param {string} version
 */
export function setVersion(root, version) {
  const npm = (/** @type {string} */ command) => execSync(`npm ${command}`, { cwd: root, stdio: 'inherit' });
  npm(`version ${version} --workspaces --include-workspace-root --no-workspaces-update --no-git-tag-version`);
  // npm does not change the pins between workspaces.
  const [sdk, server] = [`@orderbeacon/sdk=${version}`, `@orderbeacon/server=${version}`];
  npm(`pkg set dependencies.${sdk} --workspace server`);
  npm(`pkg set devDependencies.${sdk} devDependencies.${server} --workspace e2e`);
  npm('install --package-lock-only --ignore-scripts --no-audit');
}

if (argv[1] === import.meta.filename) setVersion(process.cwd(), argv[2] ?? '');
