import { readFileSync } from 'node:fs';
import replace from '@rollup/plugin-replace';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const stamp = replace({ preventAssignment: true, values: { __VERSION__: JSON.stringify(version) } });

/** Where the files go; a build that must not be seen half-done names a folder beside `dist`. */
const outDir = process.env.OUT_DIR ?? 'dist';

const compile = (sourceMap, tsconfig = 'tsconfig.json') =>
  typescript({
    tsconfig,
    noEmitOnError: true,
    compilerOptions: { sourceMap, inlineSources: sourceMap, outDir },
  });

/** One keyword instead of two compresses better, by about 15 bytes; the compiler has seen that constants stay so. */
const letOnly = {
  name: 'let-only',
  renderChunk: (code) => ({ code: code.replace(/\bconst\b/g, 'let'), map: null }),
};

/** What rooms call each other by: nothing outside of the file does, and the SDK uses nothing of the platform's so named. */
const namesOfRooms =
  /^(beacon|dropVisitor|handOver|keep|list|look|onFinal|post|read|remove|schedule|send|sendWaiting|write)$/;

/** The shortest that this code can be, for the budget of 3,072 bytes of gzip. */
const small = terser({
  ecma: 2020,
  toplevel: true,
  // `unsafe` covers what nobody redefines, such as `String` and `Array`.
  compress: {
    keep_fargs: false,
    passes: 2,
    pure_getters: true,
    unsafe: true,
    unsafe_arrows: true,
    unsafe_methods: true,
  },
  mangle: { properties: { builtins: true, regex: namesOfRooms } },
  format: { comments: false },
});

/** One module for `import`, and one for `require()`: Jest and older TypeScript know no other way. */
const forNode = (name) =>
  [
    ['es', 'js'],
    ['cjs', 'cjs'],
  ].map(([format, ending]) => ({
    file: `${outDir}/${name}.${ending}`,
    format,
    sourcemap: true,
    // The compiler counts the client's sources from dist/client/, which is never written.
    sourcemapPathTransform: (path) => path.replace('../../', '../'),
  }));

/** For pages and tag managers that take nothing newer. */
const smallOld = terser({ ecma: 5, compress: { passes: 3 }, format: { comments: false } });

/** A warning is an error: what rollup only mentions breaks in somebody's browser. */
const onwarn = (warning) => {
  throw Object.assign(new Error(warning.message), warning);
};

export default [
  {
    input: 'src/script.ts',
    output: { file: `${outDir}/track.js`, format: 'iife', strict: false },
    plugins: [stamp, compile(false), letOnly, small],
    onwarn,
  },
  {
    input: 'src/stub.ts',
    output: { file: `${outDir}/stub.js`, format: 'es' },
    plugins: [compile(false), smallOld],
    onwarn,
  },
  {
    input: 'src/debug.ts',
    output: { file: `${outDir}/debug.js`, format: 'es' },
    plugins: [stamp, compile(false), terser({ ecma: 2020, module: true })],
    onwarn,
  },
  {
    input: 'src/index.ts',
    output: forNode('index'),
    plugins: [stamp, compile(true)],
    onwarn,
  },
  {
    input: 'client/index.ts',
    output: forNode('client'),
    plugins: [compile(true, 'client/tsconfig.json')],
    onwarn,
  },
  {
    input: {
      index: 'src/index.ts',
      contract: 'src/contract.ts',
      client: 'client/index.ts',
      track: 'src/track.ts',
    },
    output: ['d.ts', 'd.cts'].map((ending) => ({
      dir: outDir,
      format: 'es',
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `[name].${ending}`,
    })),
    plugins: [dts()],
    onwarn,
  },
];
