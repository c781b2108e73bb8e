import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSdkFiles, type SdkFiles } from '../../src/core/script/sdkFiles.js';

const dist = fileURLToPath(new URL('../../../sdk/dist/', import.meta.url));

/** Files of the made-up release 0.0.1. Its script differs from the built one. */
export const earlierRelease = { 'track.js': '/* track 0.0.1 */', 'debug.js': '/* debug 0.0.1 */' };

/** Loads the SDK's files, and those of two made-up releases. The script of 0.0.2 is the built one. */
export async function loadReleasedSdk(): Promise<SdkFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-released-'));
  try {
    mkdirSync(join(folder, '0.0.1'));
    for (const [name, text] of Object.entries(earlierRelease))
      writeFileSync(join(folder, '0.0.1', name), text);
    writeFileSync(join(folder, '0.0.1/tag.html'), '');
    for (const name of ['track.js', 'debug.js']) cpSync(join(dist, name), join(folder, '0.0.2', name));
    writeFileSync(join(folder, 'integrity.json'), '{}');
    return await loadSdkFiles(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
