import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { runCommand } from '../../src/app/program.js';
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

/** A place where commands run, such as a `shop`, whose team they get. */
interface CommandHost {
  command(...args: string[]): Promise<Ended>;
}

/** Runs a command, given as one line, and reads the document that it prints without a word on stderr. */
export async function json(place: CommandHost, line: string) {
  return documentOf(await place.command(...line.split(' '), '--json'));
}

/** Reads the document of a command with `--json` that has succeeded without a word on stderr. */
export function documentOf({ code, stdout, stderr }: Ended) {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** Reads the complaint of a command that was refused: exit 2, one line on stderr, nothing on stdout. */
export function complaintOf({ code, stdout, stderr }: Ended): string {
  const line = expect.stringMatching(/^orderbeacon: \S/);
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [line]]);
  return stderr;
}
