import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServedFiles } from './servedFiles.js';

/** Gives the files of Swagger UI for the docs page, by name; undefined for any other name. */
export function createDocsFiles() {
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const names = ['swagger-ui-bundle.js', 'swagger-ui.css'];
  return createServedFiles(new Map(names.map((name) => [name, join(folder, name)])));
}
