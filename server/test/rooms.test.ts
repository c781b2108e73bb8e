import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

/** Every import of every source file below a folder; `to` is a path from the root, or a package's name. */
function importsOf(folder: string): Import[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.flatMap((name) => {
    const from = join(folder, name);
    const text = readFileSync(join(root, from), 'utf8');
    const statements = text.matchAll(
      /^(?:import|export)\s+(type\s)?[^;'"]*?from '([^']+)'|import\('([^']+)'\)/gm,
    );
    return [...statements].map(([, type, fixed, lazy]) => {
      const target = (fixed ?? lazy)!;
      const to = target.startsWith('.')
        ? relative(root, join(root, dirname(from), target)).replace(/\.js$/, '.ts')
        : target;
      return { from, to, isType: type !== undefined };
    });
  });
}

const room = (path: string) =>
  path.startsWith('server/src/') ? (path.split('/').length > 3 ? path.split('/')[2]! : 'top') : path;
const isPackage = (path: string) => !path.startsWith('server/') && !path.startsWith('sdk/');

describe('the server', () => {
  const imports = importsOf('server/src');

  it.each([
    ['schemas', ['schemas', 'zod']],
    ['sql', ['sql', 'postgres', 'top']],
    ['middleware', ['middleware', 'sql', 'top', 'hono', 'pino']],
    ['openapi', ['openapi', 'schemas', 'top']],
    ['routes', ['routes', 'openapi', 'schemas', 'sql', 'top', 'hono']],
    ['client', ['client']],
  ])('room %s imports nothing but %j', (name, allowed) => {
    const found = imports.filter(({ from }) => room(from) === name);
    expect(found.length).toBeGreaterThan(0);
    const strangers = found.filter(({ to }) => {
      if (to.startsWith('node:') || to === '@orderbeacon/sdk/contract') return false;
      const target = isPackage(to) ? to.split('/')[0]! : room(to);
      return !allowed.includes(target);
    });
    expect(strangers).toEqual([]);
  });

  it('takes nothing of the contract but types', () => {
    const contract = imports.filter(({ to }) => to.startsWith('@orderbeacon/sdk'));
    expect(contract.length).toBeGreaterThan(0);
    expect(contract.filter(({ to, isType }) => to !== '@orderbeacon/sdk/contract' || !isType)).toEqual([]);
  });

  it('lets only the wiring know the app, only the command know commands, and only schemas know zod', () => {
    const importersOf = (test: (to: string) => boolean) => [
      ...new Set(imports.filter(({ to }) => test(to)).map(({ from }) => from)),
    ];
    expect(importersOf((to) => to === 'server/src/app.ts')).toEqual(['server/src/serve.ts']);
    const users = importersOf((to) => to.startsWith('server/src/commands/'));
    expect(users.filter((from) => from !== 'server/src/cli.ts' && room(from) !== 'commands')).toEqual([]);
    const zod = imports.filter(({ to, isType }) => to === 'zod' && !isType).map(({ from }) => room(from));
    expect(new Set(zod)).toEqual(new Set(['schemas']));
  });
});

describe('the SDK', () => {
  it('depends on no package, and nothing imports its two entries but the script its own', () => {
    const imports = importsOf('sdk/src').map((found) => ({
      ...found,
      to: found.to.replace(/(?<!\.ts)$/, '.ts'),
    }));
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter(({ to }) => !to.startsWith('sdk/src/'))).toEqual([]);
    const entries = imports.filter(({ to }) => ['index.ts', 'script.ts'].includes(basename(to)));
    expect(entries.filter(({ from }) => basename(from) !== 'script.ts')).toEqual([]);
  });
});
