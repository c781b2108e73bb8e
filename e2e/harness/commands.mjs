// Runs commands of the built server in this one process, one per request. Prints its URL. Ends when its stdin does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { runCommand } from '../../server/dist/app/program.js';

// Idle connections stay open. If one were closed while a busy worker sends its next request, that request would fail.
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const { args, input, env } = await json(request);
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommand(args, { env, stdin: Readable.from([Buffer.from(input)]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  response.end(JSON.stringify({ code, out, err }));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
process.stdin.resume().once('end', () => process.exit());
