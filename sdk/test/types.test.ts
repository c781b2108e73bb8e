import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const usage = fileURLToPath(new URL('types/usage.ts', import.meta.url));

test.each([
  ['a bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ['Node', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
])('the published types fit what a storefront writes, resolved as by %s', (_, module, moduleResolution) => {
  const program = ts.createProgram([usage], {
    module,
    moduleResolution,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(problems).toEqual([]);
});
