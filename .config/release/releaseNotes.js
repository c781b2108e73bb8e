/** `node .config/release/releaseNotes.js v0.3.0 IMAGE`: prints the image and what the changelogs say of a release. */
import { fileURLToPath } from 'node:url';
import { readEntries } from './changelogs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [tag = '', image = ''] = process.argv.slice(2);
const titles = { 'sdk/CHANGELOG.md': '@orderbeacon/sdk', 'server/CHANGELOG.md': '@orderbeacon/server' };
process.stdout.write(`Image: \`${image}\`\n\n`);
for (const { path, text } of readEntries(root, tag.replace(/^v/, ''))) {
  process.stdout.write(`## ${titles[/** @type {keyof typeof titles} */ (path)]}\n\n${text}\n\n`);
}
