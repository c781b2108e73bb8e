import { readFileSync } from 'node:fs';
import replace from '@rollup/plugin-replace';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const stamp = replace({ preventAssignment: true, values: { __VERSION__: JSON.stringify(version) } });

/**
 * Does not check types, and reads few of the platform's, which took most of the build's time: `npm run check` checks
 * them. Declarations need no types of others, because `isolatedDeclarations` asks for each export's own.
 */
const unchecked = (lib) => ({ noCheck: true, declaration: false, isolatedDeclarations: false, lib: [lib] });

/** Translates each file. */
const compile = (sourceMap, tsconfig = 'tsconfig.json') =>
  typescript({
    tsconfig,
    noEmitOnError: true,
    compilerOptions: { ...unchecked('ES5'), sourceMap, inlineSources: sourceMap, outDir: 'dist' },
  });

/** Replaces `const` with `let`, which saves about 15 bytes of gzip. The type check has seen that constants stay constant. */
const letOnly = {
  name: 'let-only',
  renderChunk: (code) => ({ code: code.replace(/\bconst\b/g, 'let'), map: null }),
};

/**
 * Method names that only the SDK's own files call, and that the SDK does not use of the platform. They are shortened.
 * `get` is not among them because the platform's `Headers` have it, too.
 */
const namesOfRooms =
  /^(beacon|dropVisitor|forget|list|onFinal|post|put|read|refresh|remove|schedule|send|sendBeacons|sendWaiting|write)$/;

/** Settings for the smallest file, for the budget of 3,400 bytes of gzip. */
const small = terser({
  ecma: 2020,
  toplevel: true,
  // `unsafe` assumes that nobody redefines globals such as `String` and `Array`.
  compress: {
    hoist_funs: true,
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

/** A module for `import`, and one for `require()`, which Jest and older TypeScript need. */
const forNode = (name) =>
  [
    ['es', 'js'],
    ['cjs', 'cjs'],
  ].map(([format, ending]) => ({
    file: `dist/${name}.${ending}`,
    format,
    sourcemap: true,
    // The compiler counts the client's sources from dist/client/, which is never written.
    sourcemapPathTransform: (path) => path.replace('../../', '../'),
  }));

/** Settings for the stub, because some pages and tag managers accept ECMAScript 5 only. */
const smallOld = terser({ ecma: 5, compress: { passes: 3 }, format: { comments: false } });

/** Turns each warning into an error, because it may mean a fault in a browser. */
const onwarn = (warning) => {
  throw Object.assign(new Error(warning.message), warning);
};

export default [
  {
    input: 'src/script.ts',
    output: { file: 'dist/track.js', format: 'iife', strict: false },
    plugins: [stamp, compile(false), letOnly, small],
    onwarn,
  },
  {
    input: 'src/stub.ts',
    output: { file: 'dist/stub.js', format: 'es' },
    plugins: [compile(false), smallOld],
    onwarn,
  },
  {
    input: 'src/debug.ts',
    output: { file: 'dist/debug.js', format: 'es' },
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
      dir: 'dist',
      format: 'es',
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `[name].${ending}`,
      // Else rollup makes a file of each part of the contract that several entries share.
      manualChunks: (id) => (/src\/contract[/.]/.test(id) ? 'contract' : undefined),
    })),
    plugins: [dts({ compilerOptions: unchecked('lib.es5.d.ts') })],
    onwarn,
  },
];
