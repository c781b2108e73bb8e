// @module-tag all
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('types', import.meta.url));
const usage = readFileSync(`${folder}/usage.ts`, 'utf8');

/** TypeScript's own declarations, which are the same in every program. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Compiles a text as if it were a file in the folder of `usage.ts`, and returns the messages by line number. */
function compile(name: string, text: string, options: ts.CompilerOptions): [number, string][] {
  const path = `${folder}/${name}`;
  const all: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    strict: true,
    exactOptionalPropertyTypes: true,
    // Published types must be valid by themselves. TypeScript's own are.
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    noEmit: true,
    // TypeScript 6 still has node10, and warns that 7 will not.
    ignoreDeprecations: '6.0',
    types: [],
    ...options,
  };
  const host = ts.createCompilerHost(all);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => file === path || fileExists(file);
  host.readFile = (file) => (file === path ? text : readFile(file));
  host.getSourceFile = (file, ...others) => {
    if (file === path) return ts.createSourceFile(file, text, others[0]);
    if (!/\/lib\.[\w.]+\.d\.ts$/.test(file)) return getSourceFile(file, ...others);
    if (!libraries.has(file)) libraries.set(file, getSourceFile(file, ...others));
    return libraries.get(file);
  };
  const program = ts.createProgram([path], all, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
    return [line, ts.flattenDiagnosticMessageText(messageText, '\n')];
  });
}

const { ESNext, Node16, CommonJS } = ts.ModuleKind;
const resolution = ts.ModuleResolutionKind;
const bundler = { module: ESNext, moduleResolution: resolution.Bundler };

test.each([
  ['bundler', 'usage.mts', bundler],
  ['node16', 'usage.mts', { module: Node16, moduleResolution: resolution.Node16 }],
  ['node16 from CommonJS', 'usage.cts', { module: Node16, moduleResolution: resolution.Node16 }],
  ['node10', 'virtual.ts', { module: CommonJS, moduleResolution: resolution.Node10 }],
])('the types of every export fit what a storefront writes, resolved as by %s', (_, name, options) => {
  expect(compile(name, usage, options)).toEqual([]);
});

/** Wrong calls of `track()`, each with a part of the message that explains it. */
const mistakes = [
  ["('order', { amount: 1 })", "Property 'email' is missing in type '{ amount: number; }'"],
  ["('order', { email: order.email })", "Property 'amount' is missing in type '{ email: string; }'"],
  ["('order', {})", "missing the following properties from type 'OrderInput': email, amount"],
  ["('order', { ...order, email: null })", "Type 'null' is not assignable to type 'string'"],
  ["('order', { ...order, amount: true })", "Type 'true' is not assignable to type 'number | "],
  ["('order', { ...order, amount: '49,90 €' })", "Type '\"49,90 €\"' is not assignable to type 'number | "],
  ["('order', { ...order, ordrId: '1' })", "'ordrId' does not exist in type 'OrderInput'"],
  ["('order', { ...order, source: 'bank' })", 'Type \'"bank"\' is not assignable to type'],
  ["('order', { ...order, items: [{ price: '1' }] })", "Type 'string' is not assignable to type 'number'"],
  ["('order')", 'Expected 2 arguments, but got 1'],
  ["('consent', 'yes')", "'string' is not assignable to parameter of type 'boolean'"],
  ["('purchase', order)", '\'"purchase"\' is not assignable to parameter of type \'"order" | "consent"\''],
] as const;

describe('a call of track() with a mistake', () => {
  const head = `import { createTracker } from '@orderbeacon/sdk';
import type {} from '@orderbeacon/sdk/track.js';
const { track } = createTracker({ teamId: 'team_1', endpoint: 'https://orders.shop.example' });
const order = { email: 'ann@shop.example', amount: 1 };`;
  const calls = mistakes.flatMap(([call]) => [`track${call};`, `window.track?.${call};`]);
  let found: [number, string][];
  beforeAll(() => {
    found = compile('mistakes.mts', [head, ...calls].join('\n'), bundler);
  });

  test.each(mistakes)('%s is explained by that command and field', (call, message) => {
    const line = 5 + 2 * mistakes.findIndex(([other]) => other === call);
    for (const at of [line, line + 1]) {
      const texts = found.filter(([place]) => place === at).map(([, text]) => text);
      expect(texts).toEqual([expect.stringContaining(message)]);
      if (call.startsWith("('order'")) expect(texts[0]).not.toContain('consent');
    }
  });
});
