import { readFileSync } from 'node:fs';
import replace from '@rollup/plugin-replace';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const typescriptFor = (sourceMap) =>
  typescript({ noEmitOnError: true, sourceMap, inlineSources: sourceMap });
const stamp = replace({ preventAssignment: true, values: { __VERSION__: JSON.stringify(version) } });
const small = (module) =>
  terser({ ecma: 2020, module, toplevel: true, compress: { passes: 3 }, format: { comments: false } });

const onwarn = (warning) => {
  throw Object.assign(new Error(warning.message), warning);
};

export default [
  {
    input: 'src/script.ts',
    output: { file: 'dist/track.js', format: 'iife' },
    plugins: [stamp, typescriptFor(false), small(false)],
    onwarn,
  },
  {
    input: 'src/debug.ts',
    output: { file: 'dist/debug.js', format: 'es' },
    plugins: [stamp, typescriptFor(false), small(true)],
    onwarn,
  },
  {
    input: 'src/index.ts',
    output: { file: 'dist/index.js', format: 'es', sourcemap: true },
    plugins: [stamp, typescriptFor(true)],
    onwarn,
  },
  {
    input: { index: 'src/index.ts', contract: 'src/contract.ts' },
    output: { dir: 'dist', format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' },
    plugins: [dts()],
    onwarn,
  },
];
