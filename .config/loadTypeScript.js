import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/**
 * Module hooks (Node's `module.register`) that run the server from its sources: an import of `./x.js` finds
 * `./x.ts`, whose types are removed, not checked, as it is loaded.
 *
 * @type {import('node:module').ResolveHook}
 */
export function resolve(specifier, context, next) {
  const { parentURL } = context;
  if (/^\..*\.js$/.test(specifier) && parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, map, errors } = transformSync(path, await readFile(path, 'utf8'), {
    sourcemap: true,
    tsconfig: false,
    target: 'es2023',
    helpers: { mode: 'External' },
  });
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('\n'));
  const inlineMap = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inlineMap}\n`;
  return { format: 'module', source, shortCircuit: true };
}
