/**
 * Reduces the repository's lockfile to the packages that a server runs with. Beside the tarballs it holds `npm install` to
 * the versions that were tested, and to their hashes.
 * @param {{ lockfileVersion: number, packages: Record<string, { dev?: boolean, link?: boolean }> }} lock
 */
export function runtimeLock({ lockfileVersion, packages }) {
  const isRun = (/** @type {string} */ path) =>
    path.startsWith('node_modules/') && !packages[path]?.link && !packages[path]?.dev;
  const run = Object.entries(packages).filter(([path]) => isRun(path));
  return { lockfileVersion, requires: true, packages: { '': {}, ...Object.fromEntries(run) } };
}
