import type { Config } from '../config.js';
import { type Database, openDatabase } from '../database/openDatabase.js';
import { type CommandIo, note } from './io.js';

/**
 * Opens the database of the settings for a command, which tells its operator on stderr.
 * @param options those of `openDatabase`
 */
export async function openForCommand(
  io: CommandIo,
  config: Config,
  options: { poolSize: number; creates?: boolean },
): Promise<Database> {
  const database = await openDatabase(config, { ...options, notify: (line) => note(io, line) });
  return database.folder === null ? database : closeOnSignal(database);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Closes an embedded database before a signal ends the process: its PostgreSQL would run on without a user. A second signal
 * ends the process immediately.
 */
function closeOnSignal(database: Database): Database {
  const forget = () => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = async (signal: NodeJS.Signals) => {
    forget();
    try {
      // What runs is broken off.
      await database.sql.end({ timeout: 0 });
      await database.close();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of signals) process.on(signal, end);
  return {
    ...database,
    close() {
      forget();
      return database.close();
    },
  };
}
