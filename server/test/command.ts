import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../src/commands/program.js';
import type { Ended } from './process.js';

/** Runs `orderbeacon` in this process: no build is needed, and nothing is started. Settings come from `env` alone. */
export async function runHere(
  args: string[],
  env: Record<string, string>,
  input: string | Buffer = '',
): Promise<Ended> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommand(args, { env, stdin: Readable.from([Buffer.from(input)]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}
