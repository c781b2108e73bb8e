import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { runCommand } from '../../src/app/program.js';
import type { Ended } from './process.js';

/** Runs `orderbeacon` in this process, without a build and without a child process. Settings come only from `env`. */
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

/** Runs commands, as a `shop` does with its team. */
interface CommandHost {
  command(...args: string[]): Promise<Ended>;
}

/** Runs a command, given as one line, and reads the document that it prints. Expects an empty stderr. */
export async function json(place: CommandHost, line: string) {
  return documentOf(await place.command(...line.split(' '), '--json'));
}

/** Reads the document of a command with `--json`. Expects success and an empty stderr. */
export function documentOf({ code, stdout, stderr }: Ended) {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** Reads the error of a command that was refused. Expects exit code 2, one line on stderr, and an empty stdout. */
export function complaintOf({ code, stdout, stderr }: Ended): string {
  const line = expect.stringMatching(/^orderbeacon: \S/);
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [line]]);
  return stderr;
}
