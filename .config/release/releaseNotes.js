/** `node .config/release/releaseNotes.js v0.3.0`: prints what the changelogs say of a release. */
import { fileURLToPath } from 'node:url';
import { readEntries } from './changelogs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const version = process.argv[2]?.replace(/^v/, '') ?? '';
const titles = { 'sdk/CHANGELOG.md': '@orderbeacon/sdk', 'server/CHANGELOG.md': '@orderbeacon/server' };
for (const { path, text } of readEntries(root, version)) {
  process.stdout.write(`## ${titles[/** @type {keyof typeof titles} */ (path)]}\n\n${text}\n\n`);
}
