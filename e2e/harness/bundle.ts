import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Bundles `e2e/pages/<file>` as a storefront's build does, from the npm entry of the built SDK. */
export async function bundlePage(file: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: false,
      lib: {
        entry: fileURLToPath(new URL(`../pages/${file}`, import.meta.url)),
        formats: ['es'],
        fileName: 'shop',
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('The bundler watches instead of building.');
  return output.output[0].code;
}
