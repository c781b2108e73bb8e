import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyPatch, parsePatch } from 'diff';
import { build } from 'esbuild';

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const driver = pathOf('../node_modules/postgres');
const patchFile = 'patches/postgres.patch';

/**
 * Bundles postgres.js, with its faults cured by `patches/postgres.patch`, into one file, which is what
 * `#postgres` imports. Throws when the patch was made for another version than the installed one, or does not apply.
 * @param {string} outfile
 */
export async function buildDriver(outfile) {
  const sources = patchSources();
  await build({
    entryPoints: [`${driver}/src/index.js`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    charset: 'utf8',
    plugins: [
      {
        name: 'patch',
        setup({ onLoad }) {
          onLoad({ filter: /[\\/]postgres[\\/]src[\\/][^\\/]+$/ }, ({ path }) => {
            const contents = sources.get(basename(path));
            return contents === undefined ? null : { contents };
          });
        },
      },
    ],
  });
}

/** Patches the sources in memory. @returns {Map<string, string>} by the names of their files */
function patchSources() {
  const { version } = JSON.parse(readFileSync(`${driver}/package.json`, 'utf8'));
  const sources = new Map();
  for (const patch of parsePatch(readFileSync(pathOf(patchFile), 'utf8'))) {
    const [, madeFor, name] = /^postgres-([^/]+)\/src\/(.+)$/.exec(patch.oldFileName ?? '') ?? [];
    if (madeFor !== version) {
      throw new Error(`${patchFile} was made for postgres ${madeFor}, and ${version} is installed.`);
    }
    const patched = applyPatch(readFileSync(`${driver}/src/${name}`, 'utf8'), patch);
    if (patched === false)
      throw new Error(`${patchFile} does not apply to src/${name} of postgres ${version}.`);
    sources.set(name, patched);
  }
  return sources;
}
