import type { Command } from 'commander';
import { decodeId, type IdPrefix, type Uuid } from '../values/ids.js';
import { type TeamContext, teamSubcommand, unknownId, withTeam } from './command.js';
import type { CommandIo } from './io.js';
import { type Cell, table } from './table.js';

/** The list of a team's rows of one resource. */
interface Listed<Row> {
  description: string;
  /** Reads the rows, as `--json` prints them. */
  read: (context: TeamContext) => Promise<Row[]>;
  /** Functions that make a row's cells, by the headings of their columns. */
  columns: Record<string, (row: Row) => Cell>;
}

/** Adds the subcommand `list` to a resource, such as `key`. */
export function addList<Row>(resource: Command, io: CommandIo, listed: Listed<Row>): void {
  const { description, read, columns } = listed;
  teamSubcommand(resource, 'list', description, `${resource.name()} list --team team_…`).action(
    withTeam(io, async (context) => {
      const rows = await read(context);
      const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
      return { json: rows, text: table(Object.keys(columns), cells) };
    }),
  );
}

/** The removal of one row of a resource, by its id. */
interface Removal {
  verb: 'remove' | 'revoke';
  description: string;
  prefix: IdPrefix;
  /** Noun for one row, in the error for an unknown id. */
  noun: string;
  /** Resolves with false if the team has no row with the id. */
  remove: (context: TeamContext, id: Uuid) => Promise<boolean>;
}

/** Adds the subcommand `remove` or `revoke` to a resource, such as `key`. */
export function addRemove(resource: Command, io: CommandIo, removal: Removal): void {
  const { verb, description, prefix, noun, remove } = removal;
  const name = resource.name();
  teamSubcommand(resource, verb, description, `${name} ${verb} --team team_… ${prefix}_…`)
    .argument(`<${name.replace('signing-', '')}-id>`, `its id, from ${name} list`)
    .action(
      withTeam(io, async (context, { team }, given) => {
        const id = decodeId(prefix, given!);
        if (!id || !(await remove(context, id)))
          throw unknownId(noun, given!, { list: `${name} list`, team });
        const word = { remove: 'Removed', revoke: 'Revoked' }[verb];
        return { json: { id: given, [word.toLowerCase()]: true }, text: `${word} ${given}.` };
      }),
    );
}
