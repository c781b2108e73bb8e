import type { Command } from 'commander';
import type { Sql } from '../database/connection/connect.js';
import { addRefunds } from '../orders/addRefunds.js';
import { listOrders } from '../orders/sql/listOrders.js';
import { findPerson, type ListedPersonRow, listPeople } from '../people/sql/person.js';
import { listSubscriptions } from '../people/sql/sequence.js';
import { findRefusedOf, toListedRefused } from '../refused/listedRefused.js';
import { listRefusedByIds } from '../refused/sql/listRefused.js';
import { inertText, toCsv } from '../values/csvCells.js';
import { encodeId, type Uuid } from '../values/ids.js';
import { byteOrderMark } from '../values/text.js';
import { teamSubcommand, UsageError, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { noSuchPerson, readNamedPerson } from './namedPerson.js';
import {
  addExportOptions,
  batchRows,
  checkExportOptions,
  type ExportOptions,
  writeExport,
} from './writeExport.js';

/** `orderbeacon person export`: everything that is stored about one person, or all people with a line for each. */
export function addPersonExport(person: Command, io: CommandIo): void {
  const command = teamSubcommand(
    person,
    'export',
    'Prints everything that is stored about a person, as JSON, or all people of a team, as CSV or NDJSON.',
    'person export --team team_… --email ann@shop.example\n  orderbeacon person export --team team_… --format csv > people.csv',
  ).option('--email <email>', 'the person');
  addExportOptions(command, { isFormatNeeded: false }).action(
    withTeam<{ email?: string } & Partial<ExportOptions>>(io, async ({ sql, team }, options) => {
      const { email, format, excel } = options;
      checkExportOptions(options);
      if ((email === undefined) === (format === undefined)) {
        throw new UsageError('Give --email for one person, or --format for all people.');
      }
      if (format !== undefined) {
        await writeExport(io, listPeople(sql, team.id).cursor(batchRows), {
          noun: 'people',
          format,
          toListed: toListedPerson,
          csvHeading: (excel ? byteOrderMark : '') + toCsv([columns]),
          toCsvLines: (people) =>
            toCsv(people.map((row) => columns.map((column) => row[column] && inertText(row[column])))),
        });
        return undefined;
      }
      const json = await readPerson(sql, team.id, email!);
      return { json, text: JSON.stringify(json, null, 2) };
    }),
  );
}

/** Reads everything that is stored about a person. Somebody with nothing but refused reports has no `createdAt`. */
async function readPerson(sql: Sql, teamId: Uuid, text: string) {
  const { id, email } = await readNamedPerson(sql, teamId, text);
  const person = await findPerson(sql, teamId, id);
  const ids = await findRefusedOf(sql, teamId, email);
  const refused = (await listRefusedByIds(sql, teamId, ids)).map(toListedRefused);
  if (!person && refused.length === 0) throw noSuchPerson(email);
  const subscriptions = await listSubscriptions(sql, teamId, id);
  const orders = await listOrders(sql, teamId, { personId: id });
  return {
    ...withTypeId('ppl', person ?? { id, email, name: null, createdAt: null }),
    subscriptions: subscriptions.map((subscription) => ({
      ...withTypeId('sub', subscription),
      sequenceId: encodeId('seq', subscription.sequenceId),
    })),
    orders: (await Promise.all(orders.map((row) => addRefunds(sql, teamId, row)))).filter(
      (order) => order !== undefined,
    ),
    refused,
  };
}

const columns = ['id', 'email', 'name', 'createdAt'] as const;

function toListedPerson({ id, email, name, createdAt }: ListedPersonRow) {
  return { id: encodeId('ppl', id), email, name, createdAt: createdAt.toISOString() };
}
