import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { createProgram } from '../../../src/app/program.js';

/** The `orderbeacon` command with actions that do nothing. */
function createIdleProgram(complaints: PassThrough): Command {
  const stdout = new PassThrough();
  const program = createProgram({ env: {}, stdin: Readable.from([]), stdout, stderr: complaints });
  const idle = (command: Command) => {
    command.action(() => {});
    command.commands.forEach(idle);
  };
  // The program itself and its resources have no actions.
  const idleLeaves = (command: Command) => {
    if (command.commands.length === 0) idle(command);
    else command.commands.forEach(idleLeaves);
  };
  idleLeaves(program);
  return program;
}

/** Returns the complaint of the command's own parser about these arguments; empty if they are a call. */
export async function complaintAbout(args: string[]): Promise<string> {
  const complaints = new PassThrough();
  const written = text(complaints);
  const isCall = await createIdleProgram(complaints)
    .parseAsync(args, { from: 'user' })
    .then(
      () => true,
      () => false,
    );
  complaints.end();
  return (await written) || (isCall ? '' : 'is no call');
}

/**
 * Returns the words of a short form that the command does not know. A short form such as `hook resend --failed` names a
 * subcommand and one of its options, without the other parts of the call.
 */
export function unknownWords(words: string[]): string[] {
  let command = createIdleProgram(new PassThrough());
  const unknown: string[] = [];
  for (const [at, word] of words.entries()) {
    const [option] = word.split('=');
    const found = command.commands.find((below) => below.name() === word);
    if (found) command = found;
    else if (word.startsWith('--')) {
      const place = command.commands.find((below) => below.name() === 'open') ?? command;
      const isKnown = [...command.options, ...place.options].some(({ long }) => long === option);
      if (!isKnown && option !== '--help') unknown.push(word);
    } else if (command.commands.length > 0 && at < 2 && /^[a-z-]+$/.test(word)) unknown.push(word);
  }
  return unknown;
}
