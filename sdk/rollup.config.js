import { readFileSync } from 'node:fs';
import replace from '@rollup/plugin-replace';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const stamp = replace({ preventAssignment: true, values: { __VERSION__: JSON.stringify(version) } });

/**
 * Options that check no types and read few of the platform's, because that took most of the build's time. `npm run check`
 * checks them. Declarations need no types of other modules, because `isolatedDeclarations` requires a type for each export.
 */
const unchecked = (lib) => ({ noCheck: true, declaration: false, isolatedDeclarations: false, lib: [lib] });

/** Translates each file. */
const compile = (sourceMap, tsconfig = 'tsconfig.json') =>
  typescript({
    tsconfig,
    noEmitOnError: true,
    compilerOptions: { ...unchecked('ES5'), sourceMap, inlineSources: sourceMap, outDir: 'dist' },
  });

/** Declares constants with `let`, which saves 20 bytes of gzip. The type check ensures that they stay constant. */
const letOnly = {
  name: 'let-only',
  renderChunk(code) {
    const starts = [];
    JSON.stringify(this.parse(code), (_, node) => {
      if (node?.type === 'VariableDeclaration' && node.kind === 'const') starts.push(node.start);
      return node;
    });
    const parts = [0, ...starts.map((start) => start + 'const'.length)];
    return { code: parts.map((from, n) => code.slice(from, starts[n])).join('let'), map: null };
  },
};

/**
 * Settings for the smallest file, for the budget of 3,350 bytes of gzip. Properties that begin with `_` are the SDK's own, and
 * are shortened. A name without `_` is the platform's, the page's, or that of a field.
 */
const small = terser({
  ecma: 2020,
  toplevel: true,
  // `unsafe` assumes that nobody redefines globals such as `String` and `Array`.
  compress: {
    hoist_funs: true,
    passes: 2,
    pure_getters: true,
    unsafe: true,
    unsafe_arrows: true,
  },
  mangle: { properties: { regex: /^_/ } },
  format: { comments: false },
});

/** Outputs of a module: for `import`, and for `require()`, which Jest and older TypeScript need. */
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

/** Writes types of debug.js, so that `import()` of it compiles. Rollup writes no file, because debug.js exports nothing. */
const debugTypes = {
  name: 'debug-types',
  generateBundle() {
    for (const ending of ['d.ts', 'd.cts'])
      this.emitFile({ type: 'asset', fileName: `debug.${ending}`, source: 'export {};\n' });
  },
};

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
      // Otherwise rollup would make a file of each part of the contract that several entries share.
      manualChunks: (id) => (/src\/contract[/.]/.test(id) ? 'contract' : undefined),
    })),
    plugins: [dts({ compilerOptions: unchecked('lib.es5.d.ts') }), debugTypes],
    onwarn,
  },
];
