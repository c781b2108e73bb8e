import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { addBackupCommands } from './commands/backup.js';
import { UsageError } from './commands/command.js';
import { addConsoleCommands } from './commands/console.js';
import { addDemoCommands } from './commands/demo.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addDomainCommands } from './commands/domain.js';
import { addKeyCommands } from './commands/key.js';
import { addOrderCommands } from './commands/order.js';
import { addPersonCommands } from './commands/person.js';
import { addProductCommands } from './commands/product.js';
import { addRefusedCommands } from './commands/refused.js';
import { addSequenceCommands } from './commands/sequence.js';
import { addServerCommands } from './commands/server.js';
import { addTeamCommands } from './commands/team.js';
import { ConfigError } from './config.js';
import { isDatabaseAway } from './database/failures.js';
import { sanitizeForTerminal } from './values/sanitizeForTerminal.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const program = new Command('orderbeacon')
  .description('Receives order reports from browsers and backends, and stores each order exactly once.')
  .version(version)
  // Subcommands inherit only the settings made before they are added.
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'orderbeacon: ')) });

addServerCommands(program);
addBackupCommands(program, version);
addConsoleCommands(program);
addTeamCommands(program);
addKeyCommands(program);
addDomainCommands(program);
addProductCommands(program);
addSequenceCommands(program);
addPersonCommands(program);
addOrderCommands(program);
addRefusedCommands(program);
addDoctorCommand(program);
addDemoCommands(program);

// `orderbeacon … | head` closes the pipe early; that is not a failure.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`orderbeacon: Cannot write the output: ${code}.\n`);
  process.exit(1);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
  // An open stdin keeps the process alive, and its writer may go on long after the first bad line.
  process.stdin.destroy();
}

/** Prints the error in one line; returns the exit code, 2 for a wrong argument or setting and 1 for a failure. */
function report(error: unknown): number {
  // commander has already printed its own line or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  const line = isDatabaseAway(error) ? `The database is away: ${message}` : message;
  process.stderr.write(`orderbeacon: ${sanitizeForTerminal(line.replaceAll('\n', ' '))}\n`);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}
