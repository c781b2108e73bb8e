import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { findHome } from '../../src/embedded/home.js';
import type { DataFolderState } from './dataFolderTemplates.js';
import { temporaryFolder } from './temporaryFolder.js';

/**
 * Returns a data folder with a database: a copy of the run's, which costs a fifth of the CPU of a first start. All copies have
 * the same system identifier. A test in which PostgreSQL has to distinguish two databases starts one itself.
 * @param dataDir a folder that does not exist yet; default: one that is removed when the test ends
 */
export async function dataFolder(state: DataFolderState, dataDir = temporaryFolder()): Promise<string> {
  const response = await fetch(`${inject('dataFolderTemplates')}/${state}`);
  const template = await response.text();
  if (!response.ok) throw new Error(template);
  const { cluster } = findHome(dataDir, () => {});
  await promisify(execFile)('cp', ['-a', template, cluster]);
  return dataDir;
}
