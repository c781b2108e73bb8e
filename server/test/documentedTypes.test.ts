import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { exampleOf } from './examples.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const example = exampleOf('sdk/guides/orders.md', 'result');

/** Compiles a text as a shop's build does, with the types of the built SDK, and returns the messages. */
function compile(text: string): string[] {
  const path = `${folder}example.mts`;
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => file === path || ts.sys.fileExists(file);
  host.readFile = (file) => (file === path ? text : readFileSync(file, 'utf8'));
  const program = ts.createProgram([path], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('the TypeScript of the guide compiles against the built SDK, and a result that it does not look at does not', () => {
  expect(compile(example)).toEqual([]);
  expect(compile(example.replace("if (result.status === 'delivered') ", ''))).toEqual([
    expect.stringContaining("Property 'order' does not exist"),
    expect.anything(),
  ]);
});
