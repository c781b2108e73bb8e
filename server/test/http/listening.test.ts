import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { listenOn } from '../../src/http/listening.js';
import { ConfigError } from '../../src/values/errors.js';
import { startHttp } from '../kit/http.js';

/** Listens, and resolves with the message of the error. */
const refusalOf = (host: string, port: number) =>
  listenOn(createServer(), { host, port }).then(
    () => 'listens',
    (error) => (error instanceof ConfigError ? error.message : error),
  );

it('a HOST that is no address of this machine is told in one line that names it and the fix', async () => {
  expect(await refusalOf('999.1.1.1', 0)).toMatch(
    /^Cannot listen on HOST "999\.1\.1\.1", PORT 0: [^\n]+\. Set HOST to an address of this machine, [^\n]+$/,
  );
});

it('a PORT that is taken is told in one line that names it and the fix', async () => {
  const { port } = await startHttp(() => {});
  expect(await refusalOf('127.0.0.1', port)).toMatch(
    new RegExp(
      `^Cannot listen on HOST "127\\.0\\.0\\.1", PORT ${port}: [^\\n]*EADDRINUSE[^\\n]*\\. Stop the program that uses it, or set another PORT\\.$`,
    ),
  );
});
