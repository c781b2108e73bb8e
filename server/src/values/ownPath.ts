import { fileURLToPath } from 'node:url';

const folder = new URL('..', import.meta.url);

/**
 * Returns the path of a file or folder that is read at run time and stored with the code, such as `database/migrations`. It is
 * relative to `src`, or to the build `dist`. The code of the build is one folder deep, as this file is.
 */
export const ownPath = (path: string): string => fileURLToPath(new URL(path, folder));
