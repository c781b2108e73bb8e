import { fileURLToPath } from 'node:url';

const folder = new URL('..', import.meta.url);

/**
 * Returns the path of a file or folder that is read at run time and lies beside the code, such as `database/migrations`. It is
 * relative to `src`, or to the build `dist`, whose code lies one folder deep, as this file does.
 */
export const ownPath = (path: string): string => fileURLToPath(new URL(path, folder));
