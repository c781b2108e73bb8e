import type { Command } from 'commander';
import { addRefunds } from '../core/orders/answer/addRefunds.js';
import { listOrders } from '../core/orders/answer/sql/listOrders.js';
import { addPeople, editPerson, findPerson, listPeople } from '../core/people/sql/person.js';
import { listSubscriptions } from '../core/people/sql/sequence.js';
import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { emailSchema } from '../values/email.js';
import { encodeId, personUuid, type Uuid } from '../values/ids.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { type ExtrasOf, teamSubcommand, UsageError, withTeam, withTypeId } from './command.js';
import { eraseBuyer } from './eraseBuyer.js';
import { readBytes } from './input.js';
import type { CommandIo } from './io.js';
import { requireName } from './options.js';
import { importPeople } from './personImport.js';
import type { PersonPart } from './personPart.js';
import { addList } from './resource.js';

/** `orderbeacon person …` */
export function addPersonCommands(
  program: Command,
  io: CommandIo,
  extrasOf: ExtrasOf,
  parts: readonly PersonPart[],
): void {
  const person = program
    .command('person')
    .description('People: buyers, and others that sequences can enroll.');

  teamSubcommand(
    person,
    'add',
    'Adds a person, or gives a known one this name, which reports then do not change.',
    'person add --team team_… --email ann@shop.example',
  )
    .requiredOption('--email <email>', 'the email')
    .option('--name <name>', 'the name')
    .action(
      withTeam<{ email: string; name?: string }>(io, async ({ sql, team }, options) => {
        const { id, email } = await readNamedPerson(sql, team.id, options.email);
        const name = options.name === undefined ? null : requireName(options.name);
        const [added] = await addPeople(sql, team.id, [{ id, email, name }]);
        const row = (name !== null && (await editPerson(sql, team.id, id, name))) || added!;
        return { json: withTypeId('ppl', row), text: `${encodeId('ppl', id)}  ${email}` };
      }),
    );

  teamSubcommand(
    person,
    'import',
    'Adds the people of a CSV file with a column of emails, and one of names or two of first and last names. Rows without a right email are listed, and the others are added.',
    'person import --team team_… people.csv',
  )
    .argument('<file>', 'a file, or - for stdin')
    .action(
      withTeam(io, async ({ sql, team }, _options, file) => {
        const result = await importPeople(sql, team.id, readBytes(io, file!));
        const { imported, rows, refusedRows, refused } = result;
        if (refusedRows > 0) io.exitCode = 1;
        const lines = refused.map(({ line, message }) => `line ${line}: ${message}`);
        if (refusedRows > refused.length) lines.push(`and ${refusedRows - refused.length} more rows`);
        const text = [...lines, `Imported ${imported} people from ${rows} rows.`];
        return { json: result, text: text.map(sanitizeForTerminal).join('\n') };
      }),
    );

  addList(person, io, {
    description: 'Lists the people, sorted by email.',
    read: async ({ sql, team }) =>
      (await listPeople(sql, team.id)).map(({ id, email, name }) => withTypeId('ppl', { id, email, name })),
    columns: { ID: ({ id }) => id, EMAIL: ({ email }) => email, NAME: ({ name }) => name },
  });

  addPersonExport(person, io, parts);

  teamSubcommand(
    person,
    'erase',
    'Erases a person: email, names, visitor ids, touches, extra fields of orders, subscriptions and refused reports are removed. The orders keep amount, dates, orderId and items, and belong to nobody. Personal data that you put into orderId or items yourself stays.',
    'person erase --team team_… --email ann@shop.example',
  )
    .requiredOption('--email <email>', 'the email')
    .action(
      withTeam<{ email: string }>(io, async ({ sql, team }, options) => {
        const { id, email } = await readNamedPerson(sql, team.id, options.email);
        const erased = await eraseBuyer(
          sql,
          team.id,
          { id, email },
          { listeners: extrasOf(sql).listeners, parts },
        );
        if (!erased) throw noSuchPerson(email);
        const { name, orders, subscriptions, removed } = erased;
        const counts = parts.flatMap(({ erase, name, noun = name }) =>
          erase ? [`${removed[name]} ${noun}`] : [],
        );
        return {
          json: { id: encodeId('ppl', id), email, name, orders, subscriptions, ...removed },
          text: `Erased ${email}: ${orders} orders kept without the person, ${[`${subscriptions} subscriptions`, ...counts].join(' and ')} removed.`,
        };
      }),
    );
}

/** `orderbeacon person export` */
function addPersonExport(person: Command, io: CommandIo, parts: readonly PersonPart[]): void {
  teamSubcommand(
    person,
    'export',
    'Prints the orders, subscriptions and refused reports of a person, as JSON.',
    'person export --team team_… --email ann@shop.example',
  )
    .requiredOption('--email <email>', 'the person')
    .action(
      withTeam<{ email: string }>(io, async ({ sql, team }, { email }) => {
        const json = await readPerson(sql, team.id, email, parts);
        return { json, text: JSON.stringify(json, null, 2) };
      }),
    );
}

/** Reads all that is stored of a person and the email. If only features keep something, `createdAt` is missing. */
async function readPerson(sql: Sql, teamId: Uuid, text: string, parts: readonly PersonPart[]) {
  const { id, email } = await readNamedPerson(sql, teamId, text);
  const person = await findPerson(sql, teamId, id);
  const kept: Record<string, readonly object[]> = {};
  for (const part of parts) if (part.export) kept[part.name] = await part.export(sql, teamId, email);
  if (!person && Object.values(kept).every((rows) => rows.length === 0)) throw noSuchPerson(email);
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
    ...kept,
  };
}

/** The person of `--email`, who may be unknown to the team. */
interface NamedPerson {
  id: Uuid;
  email: string;
}

/** Reads the value of `--email`, and computes the person's id. @throws UsageError */
async function readNamedPerson(sql: Sql, teamId: Uuid, text: string): Promise<NamedPerson> {
  const parsed = emailSchema.safeParse(text);
  if (!parsed.success) throw new UsageError(`--email ${parsed.error.issues[0]!.message}, not "${text}".`);
  const email = parsed.data;
  return { id: personUuid(await findSecret(sql), teamId, email), email };
}

/** Creates the error for an email that the team does not know. */
function noSuchPerson(email: string): UsageError {
  return new UsageError(`This team has no person with the email "${email}".`);
}
