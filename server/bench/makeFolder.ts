import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes an empty folder for a measurement, which removes it at its end. Others may enter it: if this is root, PostgreSQL runs as
 * another user. If that user could not enter, its data would be below /var/lib/orderbeacon and stay there.
 * @param of the measurement
 */
export async function makeFolder(of: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `orderbeacon-${of}-`));
  await chmod(folder, 0o755);
  return folder;
}
