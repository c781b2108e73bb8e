import type { Command } from 'commander';
import { type Config, readConfig } from '../config.js';
import type { Listeners } from '../core/listener.js';
import type { StoreReports } from '../core/orders/store/storeReport.js';
import { findTeam, type TeamRow } from '../core/teams/sql/team.js';
import type { Sql } from '../database/connection/connect.js';
import { nameMigrations } from '../database/migrations.js';
import type { Database } from '../database/openDatabase.js';
import { readSchemaState, refuseBreaking } from '../database/schemaState.js';
import { command } from '../values/command.js';
import { DatabaseError } from '../values/errors.js';
import { decodeId, encodeId } from '../values/ids.js';
import { type CommandIo, note, print } from './io.js';
import { openForCommand } from './openForCommand.js';

/** The operator typed something wrong. The message is one line that says what to type instead. The exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Database and settings of a command. */
export interface CommandContext extends Pick<Database, 'sql' | 'name'> {
  config: Config;
}

/** Additions of features to commands that change data. */
export interface Extras {
  /** Listeners that are notified of the changes. */
  listeners: Listeners;
  /** Replaces the statement that stores orders; undefined for the usual one. */
  storeNew: StoreReports | undefined;
}

/** Creates the additions for the database of a command. */
export type ExtrasOf = (sql: Sql) => Extras;

/** Database and settings of a command for one team. */
export type TeamContext = CommandContext & { team: TeamRow };

/** Result of a command: the document of `--json`, or lines for a person. */
export interface Printed {
  json: unknown;
  text: string;
}

/** Number of connections. A command runs one statement after the other. */
const poolSize = 2;

/**
 * Adds a subcommand with `--json`, a description and an example.
 * @param options.isDefault runs it if the parent is given no subcommand
 */
export function subcommand(
  parent: Command,
  usage: string,
  description: string,
  example: string,
  { isDefault = false } = {},
): Command {
  return parent
    .command(usage, { isDefault })
    .description(description)
    .option('--json', 'print one JSON document')
    .addHelpText('after', `\nExample:\n  ${command} ${example}`);
}

/** Finds a command that was added before. A feature adds a subcommand to it. */
export function commandOf(program: Command, name: string): Command {
  return program.commands.find((each) => each.name() === name)!;
}

/** Adds a subcommand as `subcommand` does, with the option `--team` that `withTeam` reads. */
export function teamSubcommand(...given: Parameters<typeof subcommand>): Command {
  return subcommand(...given).requiredOption('--team <id>', 'the team');
}

/**
 * Makes an action of commander: it opens the database, calls `act`, prints the result and closes the database. Works with
 * and without a running server. Does not create or migrate a database. If none exists, or if migrations of this release are
 * missing, the error names the database and what it needs.
 */
export function withDatabase<Options, Args extends unknown[] = string[]>(
  io: CommandIo,
  act: (context: CommandContext, options: Options, ...args: Args) => Promise<Printed | undefined>,
) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const config = readConfig(io.env);
    const database = await openForCommand(io, config, { poolSize, creates: false });
    try {
      await requireMigrated(database);
      const args = given.slice(0, -2) as Args;
      const printed = await act(
        { sql: database.sql, name: database.name, config },
        command.opts() as Options,
        ...args,
      );
      if (!command.opts().json) note(io, `Used ${database.name}.`);
      if (!printed) return;
      const text = command.opts().json ? JSON.stringify(printed.json, null, 2) : printed.text;
      if (text) await print(io, `${text}\n`);
    } finally {
      await database.close();
    }
  };
}

/** Makes an action as `withDatabase` does, and finds the team of `--team` first. */
export function withTeam<Options extends object, Args extends unknown[] = string[]>(
  io: CommandIo,
  act: (
    context: TeamContext,
    options: Options & { team: string },
    ...args: Args
  ) => Promise<Printed | undefined>,
) {
  return withDatabase<Options & { team: string }, Args>(io, async (context, options, ...args) => {
    const team = await requireTeam(context, options.team);
    return act({ ...context, team }, options, ...args);
  });
}

async function requireMigrated({ sql, name }: Database): Promise<void> {
  const state = await readSchemaState(sql);
  refuseBreaking(state);
  if (state.missing.length === 0) return;
  const lack = state.isEmpty
    ? 'has no tables of Orderbeacon yet'
    : `lacks ${nameMigrations(state.missing.map((each) => each.name))}`;
  throw new DatabaseError(
    `${capitalize(name)} ${lack}: start the server of this release on it, or run: ${command} migrate`,
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Finds the team of `--team`. @throws UsageError if it does not exist */
export async function requireTeam(
  { sql, name }: Pick<CommandContext, 'sql' | 'name'>,
  id: string,
): Promise<TeamRow> {
  const uuid = decodeId('team', id);
  const team = uuid && (await findTeam(sql, uuid));
  if (!team) throw new UsageError(`No team has the id "${id}" in ${name}. See: ${command} team list`);
  return team;
}

/** Creates the error for an id that the team does not have. @param list the command that lists the ids, without `--team` */
export function unknownId(
  kind: string,
  id: string,
  { list, team }: { list: string; team: string },
): UsageError {
  return new UsageError(
    `This team has no ${kind} with the id "${id}". See: ${command} ${list} --team ${team}`,
  );
}

/** Replaces a row's UUID by its public id. */
export function withTypeId<T extends { id: string }>(prefix: Parameters<typeof encodeId>[0], row: T): T {
  return { ...row, id: encodeId(prefix, row.id) };
}
