import { fileURLToPath } from 'node:url';

const folder = new URL('..', import.meta.url);

/**
 * Returns the absolute path of a file or folder that is stored with the code and read at run time, such as `database/migrations`.
 * @param path relative to `src`, or to `dist` if the build runs. In both, this code must stay one folder deep.
 */
export const ownPath = (path: string): string => fileURLToPath(new URL(path, folder));
