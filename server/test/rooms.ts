import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One import of one file. */
export interface Import {
  /** The importing file, as a path from the root of the repository. */
  from: string;
  /** The imported file as a path from the root, or the name of a package. */
  to: string;
  /** True where only types are taken, which are gone when the code runs. */
  isType: boolean;
}

/** Every import of every source file below a folder of the repository. */
export function importsOf(folder: string): Import[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  return files.flatMap((name) => {
    // An import says `.js` for either ending, so both count as `.ts`.
    const from = join(folder, name).replace(/x$/, '');
    const text = readFileSync(join(root, folder, name), 'utf8');
    const statements = text.matchAll(
      /^(?:import|export)\s+(type\s)?[^;'"]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm,
    );
    return [...statements].map(([, type, fixed, bare, lazy]) => {
      const target = (fixed ?? bare ?? lazy)!;
      if (!target.startsWith('.')) return { from, to: target, isType: type !== undefined };
      const path = relative(root, join(root, dirname(from), target));
      return { from, to: path.replace(/(\.js|\.ts)?$/, '.ts'), isType: type !== undefined };
    });
  });
}

/** The room of a file of the server: its folder below `src`, or its own name where it lies at the root. */
export function roomOf(path: string): string {
  const [folder, ...rest] = path.replace('server/src/', '').split('/');
  return rest.length === 0 ? folder!.replace(/\.ts$/, '') : folder!;
}

/** The first circle among imports, each file once, the first again at the end; null where there is none. */
export function findCircle(imports: Import[]): string[] | null {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();

  function walk(file: string, way: string[]): string[] | null {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of targets.get(file) ?? []) {
      const circle = walk(next, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  }

  for (const file of targets.keys()) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return null;
}

/** The imports that a table of rooms does not allow; every room may import `values`. */
export function findStrangers(imports: Import[], mayImport: Record<string, readonly string[]>): string[] {
  return imports
    .filter(({ from, to, isType }) => {
      if (to.startsWith('node:') || (isType && to === '@orderbeacon/sdk/contract')) return false;
      const own = roomOf(from);
      const other = to.startsWith('server/src/') ? roomOf(to) : to;
      const allowed = mayImport[own] ?? [];
      const isFree = other === own || other === 'values';
      return !isFree && !allowed.includes(other) && !(isType && allowed.includes(`type ${other}`));
    })
    .map(({ from, to }) => `${from} -> ${to}`);
}
