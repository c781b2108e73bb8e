import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { addBackupCommands } from './commands/backup.js';
import { UsageError } from './commands/command.js';
import { addDomainCommands } from './commands/domain.js';
import { addKeyCommands } from './commands/key.js';
import { addOrderCommands } from './commands/order.js';
import { addPersonCommands } from './commands/person.js';
import { addProductCommands } from './commands/product.js';
import { addSequenceCommands } from './commands/sequence.js';
import { addServerCommands } from './commands/server.js';
import { addTeamCommands } from './commands/team.js';
import { ConfigError } from './config.js';
import { isDatabaseAway } from './database/failures.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const program = new Command('orderbeacon')
  .description('Receives order reports from browsers and backends, and stores each order exactly once.')
  .version(version)
  // Subcommands take over what is set before they are added.
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'orderbeacon: ')) });

addServerCommands(program);
addBackupCommands(program, version);
addTeamCommands(program);
addKeyCommands(program);
addDomainCommands(program);
addProductCommands(program);
addSequenceCommands(program);
addPersonCommands(program);
addOrderCommands(program);

// `orderbeacon … | head` ends the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
  // What feeds stdin may go on long after its first bad line, and an open stdin keeps the process.
  process.stdin.destroy();
}

/** Says what went wrong in one line; 2 for what the operator can type better, 1 for what failed. */
function report(error: unknown): number {
  // commander has written its own line, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  const line = isDatabaseAway(error) ? `The database is away: ${message}` : message;
  process.stderr.write(`orderbeacon: ${line.replaceAll('\n', ' ')}\n`);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}
