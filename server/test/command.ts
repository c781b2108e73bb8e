import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { runCommand } from '../src/commands/program.js';
import type { Ended } from './process.js';

/** Runs `orderbeacon` in this process: no build is needed, and nothing is started. Settings come from `env` alone. */
export async function runOrderbeacon(
  args: string[],
  env: Record<string, string>,
  input: string | Buffer = '',
): Promise<Ended> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  // `text` of stream/consumers would drop a byte order mark.
  const written = Promise.all([buffer(stdout), buffer(stderr)]);
  const code = await runCommand(args, { env, stdin: Readable.from([Buffer.from(input)]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: String(out), stderr: String(err) };
}
