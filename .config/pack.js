/** `npm run pack:all [-- FOLDER]`: packs what was built into FOLDER, `.packages` unless it is named. */
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packTarballs } from './release/packTarballs.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, '.packages'));
for (const { name, sha256 } of packTarballs(root, folder)) {
  process.stdout.write(`${join(relative(process.cwd(), folder), name)}  sha256 ${sha256}\n`);
}
