import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

const releases = join(import.meta.dirname, 'releases');

/** Unpacks the last release, which `npm run release` has bundled. Returns its `orderbeacon` program, for `node`. */
export function unpackReleaseBefore(): { version: string; program: string } {
  const [name] = readdirSync(releases);
  const files: Record<string, string> = JSON.parse(
    gunzipSync(readFileSync(join(releases, name!))).toString(),
  );
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { version: name!.replace('.json.gz', ''), program: join(folder, 'dist/orderbeacon.js') };
}
