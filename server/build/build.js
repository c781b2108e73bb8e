// `npm run build -w server`: puts the sources into few files, because Node takes twice the time to load all 600 one by one.
// Packages stay outside. Types are checked by `npm run check`.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [source, dist, packages] = [pathOf('src'), pathOf('dist'), pathOf('../node_modules')];

/** The files below `src` that programs import. The last three are for tests with processes of their own. */
const entries = [
  'cli.ts',
  'app/testing.ts',
  'core/script/tag.ts',
  'app/program.ts',
  'database/openDatabase.ts',
  'embedded/postmaster.ts',
];

/** Files of packages that the server serves, with their licences. A copy of them spares each installation the rest. */
const servedFiles = {
  'swagger-ui-dist': [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ],
  '@picocss/pico': ['css/pico.min.css', 'LICENSE.md'],
};

const esbuild = await import('esbuild').catch(() => {
  console.error(
    'The build needs the development packages, which npm left out here. Run: npm ci --include=dev',
  );
  process.exit(1);
});

const { buildAnswerSchemas } = await import('./buildAnswerSchemas.js');
const { buildDriver } = await import('./buildDriver.js');

rmSync(dist, { recursive: true, force: true });
await buildDriver(`${dist}/postgres.js`).catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
buildAnswerSchemas(`${dist}/answerSchemas.js`);
const { errors } = await esbuild
  .build({
    entryPoints: entries.map((path) => `${source}/${path}`),
    outbase: source,
    outdir: dist,
    tsconfig: pathOf('tsconfig.json'),
    bundle: true,
    packages: 'external',
    external: ['#answerSchemas', '#postgres'],
    splitting: true,
    // One folder deep, as `values/ownPath.ts` expects.
    chunkNames: 'code/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    charset: 'utf8',
    define: {
      builtVersion: JSON.stringify(JSON.parse(readFileSync(pathOf('package.json'), 'utf8')).version),
    },
  })
  // It has printed them.
  .catch((/** @type {import('esbuild').BuildFailure} */ failure) => failure);
if (errors.length > 0) process.exit(1);

// What is no TypeScript, such as migrations, is read at run time from beside the code.
cpSync(source, dist, { recursive: true, filter: (path) => !/\.tsx?$/.test(path) });
for (const [name, files] of Object.entries(servedFiles)) {
  for (const file of files) cpSync(`${packages}/${name}/${file}`, `${dist}/packages/${name}/${file}`);
}
