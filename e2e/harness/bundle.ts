import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const pathOf = (file: string) => fileURLToPath(new URL(`../pages/${file}`, import.meta.url));

/**
 * Bundles `e2e/pages/<file>` as a storefront's build does, from the npm entry of the built SDK.
 * @param more further files in its folder that are not on the disk, by name
 */
export async function bundlePage(file: string, more: Record<string, string> = {}): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: Object.entries(more).map(([name, text]) => ({
      name,
      resolveId: (id: string) => (id === `./${name}` ? pathOf(name) : undefined),
      load: (id: string) => (id === pathOf(name) ? text : undefined),
    })),
    build: {
      write: false,
      minify: false,
      lib: {
        entry: pathOf(file),
        formats: ['es'],
        fileName: 'shop',
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('The bundler watches instead of building.');
  return output.output[0].code;
}
