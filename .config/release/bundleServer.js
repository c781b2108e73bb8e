import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Folder of the last release's bundle, for the tests that run it. */
const folder = 'server/test/releases';

/** Start of the bundle. It has no files of packages. If no request needs one, the server runs without them. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const resolveNothing = () => import.meta.url;`;

/**
 * Writes the `orderbeacon` command of a source tree, with its migrations and imports, into one file that replaces the last. The
 * file `<version>.json.gz` is a JSON object of texts by path. The bundle serves the API and the script, and no pages.
 * @param {string} root of the repository
 * @param {string} source built tree to bundle; for a release the repository
 */
export async function bundleServer(root, source = root) {
  const manifest = readFileSync(join(source, 'server/package.json'), 'utf8');
  const { version } = JSON.parse(manifest);
  const { outputFiles } = await build({
    entryPoints: [join(source, 'server/src/cli.ts')],
    tsconfig: join(source, 'server/tsconfig.json'),
    nodePaths: [join(root, 'node_modules')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    charset: 'utf8',
    banner: { js: banner },
    define: { builtVersion: JSON.stringify(version), 'import.meta.resolve': 'resolveNothing' },
  });
  /** @type {Record<string, string>} */
  const files = {
    'package.json': JSON.stringify({ version, type: 'module' }),
    'dist/code/orderbeacon.js': /** @type {import('esbuild').OutputFile} */ (outputFiles[0]).text,
    'dist/code/track.js': readFileSync(join(source, 'sdk/dist/track.js'), 'utf8'),
    'dist/released/README': 'No release of the SDK.',
  };
  const migrations = join(source, 'server/src/database/migrations');
  for (const name of readdirSync(migrations))
    files[`dist/database/migrations/${name}`] = readFileSync(join(migrations, name), 'utf8');
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const path = join(root, folder, `${version}.json.gz`);
  writeFileSync(path, gzipSync(JSON.stringify(files), { level: 9 }));
  return path;
}

if (argv[1] === import.meta.filename) {
  console.log(await bundleServer(join(import.meta.dirname, '../..'), argv[2]));
}
