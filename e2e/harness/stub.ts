import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trim();

/** The built stub: the line that pages have before their first call of `track()`. */
export const stub: string = read('../../sdk/dist/stub.js');
