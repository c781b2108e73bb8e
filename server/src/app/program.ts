import { Command, CommanderError } from 'commander';
import { UsageError } from '../commands/command.js';
import { addDomainCommands } from '../commands/domain.js';
import { type CommandIo, note, OutputError } from '../commands/io.js';
import { addKeyCommands } from '../commands/key.js';
import { addOrderCommands } from '../commands/order.js';
import { addPersonCommands } from '../commands/person.js';
import { addRefundCommands } from '../commands/refund.js';
import { addSequenceCommands } from '../commands/sequence.js';
import { addSigningKeyCommands } from '../commands/signingKey.js';
import { addTeamCommands } from '../commands/team.js';
import { addConsoleCommands } from '../console/access/commands.js';
import { makeConsoleLink } from '../console/access/consoleAccess.js';
import {
  isCanceled,
  isDatabaseAway,
  isReadOnly,
  isRightMissing,
  isWorkerAway,
  workerAway,
} from '../database/failures.js';
import { addTestingCommand } from '../features/testing/commands.js';
import type { Feature } from '../host/host.js';
import { install } from '../host/install.js';
import { ApiError, ConfigError } from '../values/errors.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { version } from '../values/version.js';
import { features } from './features.js';
import { refuseRepeated } from './refuseRepeated.js';
import { refuseRemoved } from './removed.js';
import { addServerCommands } from './serverCommands.js';

/**
 * Runs `orderbeacon` with these arguments, and resolves with its exit code. It is 2 for a wrong argument or setting, and 1 for a
 * failure. An error is one line on stderr. Does not end the process, so several commands can run in one process.
 */
export async function runCommand(args: string[], io: CommandIo): Promise<number> {
  try {
    refuseRemoved(args);
    await createProgram(io).parseAsync(readHelp(args), { from: 'user' });
    return Number(io.exitCode ?? 0);
  } catch (error) {
    return report(error, io);
  }
}

/** Reads `help team create` as `team create --help`, because the `help` of commander takes only the first word. */
function readHelp(args: string[]): string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args;
}

/**
 * Builds the command with its subcommands and those of the features. `exitOverride` makes commander throw instead of ending the
 * process.
 */
export function createProgram(io: CommandIo, list: readonly Feature[] = features): Command {
  const program = new Command('orderbeacon')
    .description('Receives order reports from browsers and backends, and stores each order exactly once.')
    .version(version)
    // Subcommands inherit only the settings that were made before they are added.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Commander writes its suggestion ("Did you mean …?") on a separate line.
      outputError: (text, write) => write(`${toLine(text.replace(/^error: /, 'orderbeacon: '))}\n`),
    });
  const { addCommands, checks, distribution, extrasOf, people } = install(list);
  addServerCommands(program, io, distribution);
  addConsoleCommands(program, io);
  addTeamCommands(program, io, extrasOf, makeConsoleLink);
  addKeyCommands(program, io);
  addSigningKeyCommands(program, io);
  addDomainCommands(program, io);
  addSequenceCommands(program, io);
  addPersonCommands(program, io, extrasOf, people);
  addOrderCommands(program, io);
  addRefundCommands(program, io);
  addCommands(program, { io, extrasOf, checks, distribution });
  addTestingCommand(program, io, async () => (await import('./testing.js')).startOrderbeacon);
  refuseRepeated(program);
  return program;
}

/** Puts a text into one line that a terminal can show. */
const toLine = (text: string) => sanitizeForTerminal(text.trim().replaceAll(/\s+/g, ' '));

/** Writes the error as one line; returns the exit code. */
function report(error: unknown, io: CommandIo): number {
  // commander has already printed its line or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OutputError) return Number(io.exitCode ?? 0);
  const message = error instanceof Error ? error.message : String(error);
  const line = `${describeAbsence(error)}${message}`;
  note(io, `orderbeacon: ${toLine(line)}`);
  const isOfInput = error instanceof ApiError && error.code === 'invalid_request';
  return isOfInput || error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}

/** Explains an unreachable database or a missing right, if the error's message does not; otherwise empty. */
function describeAbsence(error: unknown): string {
  if (isWorkerAway(error)) return workerAway;
  if (isRightMissing(error))
    return 'The role of DATABASE_URL has no right to do this; use the role that owns the tables: ';
  if (isReadOnly(error)) return 'The database takes no writes; name the primary in DATABASE_URL: ';
  // A command sets no limit, so the database's or the role's applies. A parameter of the URL overrides it.
  if (isCanceled(error))
    return 'The database limits the time of statements. Add ?statement_timeout=0 to DATABASE_URL for this command, past any pooler: ';
  // Errors of files have a path, and the same codes as errors of sockets.
  const isOfFile = error instanceof Error && 'path' in error;
  return isDatabaseAway(error) && !isOfFile ? 'The database is away: ' : '';
}
