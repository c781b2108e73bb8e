import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Sql } from '../../src/database/connection/connect.js';
import { isMarked, ownMigrations } from '../../src/database/migrations.js';
import { temporaryFolder } from './temporaryFolder.js';

const execute = promisify(execFile);

/** Folder into which `npm run release` writes the server of the last release, in one file. */
const releases = join(import.meta.dirname, '../releases');

/** False if nothing has been released yet. */
export const hasRelease = existsSync(releases);

/** Unpacks the last release. `run` runs one of its commands, and resolves with the document that it prints. */
export function unpackRelease(env: Record<string, string>) {
  const [name] = readdirSync(releases);
  const files: Record<string, string> = JSON.parse(
    gunzipSync(readFileSync(join(releases, name!))).toString(),
  );
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const program = join(folder, 'dist/code/orderbeacon.js');
  const run = async (...args: string[]) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    return JSON.parse((await execute(execPath, [program, ...args, '--json'], options)).stdout);
  };
  return { version: name!.replace('.json.gz', ''), program, run };
}

/** @returns true if this build has a migration that the database of an older server lacks, and that older servers refuse */
export async function refusesOlder(sql: Sql): Promise<boolean> {
  const applied = new Set(
    (await sql<{ name: string }[]>`select name from migration`).map(({ name }) => name),
  );
  return ownMigrations().some((each) => !applied.has(each.name) && isMarked(each, 'breaks older servers'));
}
