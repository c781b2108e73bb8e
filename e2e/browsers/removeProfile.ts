import { rm } from 'node:fs/promises';

/** Removes the folder of a profile. The processes of its browser may write for some time after it has closed. */
export const removeProfile = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 30 });
