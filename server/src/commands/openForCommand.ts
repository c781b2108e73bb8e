import { type Config, describeUnknownSettings } from '../config.js';
import { type Database, openDatabase } from '../database/openDatabase.js';
import { type CommandIo, note } from './io.js';

/** Names each unknown setting on stderr, before the command uses the wrong database because of it. */
export function noteUnknownSettings(io: CommandIo): void {
  for (const line of describeUnknownSettings(io.env)) note(io, `orderbeacon: ${line}`);
}

/**
 * Opens the database of the settings for a command. Unknown settings and notices of `openDatabase` go to stderr.
 * @param options those of `openDatabase`
 */
export async function openForCommand(
  io: CommandIo,
  config: Config,
  options: { poolSize: number; creates?: boolean },
): Promise<Database> {
  noteUnknownSettings(io);
  const opening = openDatabase(config, { ...options, notify: (line) => note(io, line) });
  return config.databaseUrl === null ? closeOnSignal(opening) : opening;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Closes an embedded database before a signal ends the process, even if it is still opening. Otherwise its PostgreSQL would keep
 * running unused. A second signal ends the process immediately.
 */
async function closeOnSignal(opening: Promise<Database>): Promise<Database> {
  const forget = () => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = async (signal: NodeJS.Signals) => {
    forget();
    try {
      const { sql, close } = await opening;
      // Cancels running statements.
      await sql.end({ timeout: 0 });
      await close();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of signals) process.on(signal, end);
  const database = await opening.catch((error) => {
    forget();
    throw error;
  });
  return {
    ...database,
    close() {
      forget();
      return database.close();
    },
  };
}
