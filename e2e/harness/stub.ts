import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trim();

/** The stub as it was built: the line that pages carry before their first call of `track()`. */
export const stub: string = read('../../sdk/dist/stub.js');

/** The stub of version 0.1.0, which shops go on carrying. */
export const stubOf010: string = /<script>(window\.track=.*)<\/script>/.exec(
  read('../../sdk/released/0.1.0/tag.html'),
)![1]!;
