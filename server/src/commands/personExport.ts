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
import { addExportOptions, checkExportOptions, type ExportOptions } from './exportOptions.js';
import { type CommandIo, print } from './io.js';
import { noSuchPerson, readNamedPerson } from './namedPerson.js';
import { batchRows } from './orderExport.js';
import { createProgress } from './progress.js';

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
        await exportPeople(io, sql, team.id, { format, excel: excel ?? false });
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

/** Writes all people to stdout, sorted by email, in batches. See `exportOrders`. */
async function exportPeople(
  io: CommandIo,
  sql: Sql,
  teamId: Uuid,
  { format, excel }: ExportOptions,
): Promise<void> {
  const progress = createProgress(io, 'people');
  if (format === 'csv') await print(io, (excel ? byteOrderMark : '') + toCsv([columns]));
  let written = 0;
  for await (const rows of listPeople(sql, teamId).cursor(batchRows)) {
    const people = rows.map(toListedPerson);
    await print(
      io,
      format === 'csv'
        ? toCsv(people.map((row) => columns.map((column) => row[column] && inertText(row[column]))))
        : people.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    written += rows.length;
    progress.show(written);
  }
  progress.end(written);
}

function toListedPerson({ id, email, name, createdAt }: ListedPersonRow) {
  return { id: encodeId('ppl', id), email, name, createdAt: createdAt.toISOString() };
}
