import type { Command } from 'commander';
import { findSecret } from '../database/installation.js';
import { addPeople, editPerson } from '../people/sql/person.js';
import { encodeId, personUuid } from '../values/ids.js';
import { requireTeam, subcommand, UsageError, withDatabase, withTypeId } from './command.js';
import { eraseBuyer } from './eraseBuyer.js';
import { readInput } from './input.js';
import type { CommandIo } from './io.js';
import { addPersonExport } from './personExport.js';
import { importPeople } from './personImport.js';
import { addPersonList } from './personList.js';
import { noSuchPerson, requireEmail, requirePerson } from './requirePerson.js';
import { requireName } from './team.js';

/** `orderbeacon person …` */
export function addPersonCommands(program: Command, io: CommandIo): void {
  const person = program.command('person').description('People: buyers, and whom sequences may enroll.');

  subcommand(
    person,
    'add',
    'Adds a person; a known one keeps a name that a key or a command gave, and gets this one in the place of none or of a page’s.',
    'person add --team team_… --email ann@shop.example',
  )
    .requiredOption('--team <id>', 'the team')
    .requiredOption('--email <email>', 'the email')
    .option('--name <name>', 'the name')
    .action(
      withDatabase<{ team: string; email: string; name?: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const email = requireEmail(options.email);
        const id = personUuid(await findSecret(sql), team.id, email);
        const name = options.name ? requireName(options.name) : null;
        const [row] = await addPeople(sql, team.id, [{ id, email, name }]);
        return { json: withTypeId('ppl', row!), text: `${encodeId('ppl', id)}  ${email}` };
      }),
    );

  subcommand(
    person,
    'edit',
    'Gives a known person another name, whoever said the one before; without --name it takes the name away.',
    'person edit --team team_… --email ann@shop.example --name Ann',
  )
    .requiredOption('--team <id>', 'the team')
    .requiredOption('--email <email>', 'the email')
    .option('--name <name>', 'the name; no report changes it')
    .action(
      withDatabase<{ team: string; email: string; name?: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const name = options.name === undefined ? null : requireName(options.name);
        const { id } = await requirePerson(sql, team.id, options.email);
        const row = await editPerson(sql, team.id, id, name);
        if (!row) throw new UsageError('This person was erased just now.');
        return {
          json: withTypeId('ppl', row),
          text: `${encodeId('ppl', id)}  ${row.email}  ${row.name ?? '-'}`,
        };
      }),
    );

  subcommand(
    person,
    'import',
    'Adds the people of a CSV file with the columns email and name, all or none.',
    'person import --team team_… people.csv',
  )
    .argument('<file>', 'a file, or - for stdin')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options, file) => {
        const team = await requireTeam(sql, options.team);
        const result = await importPeople(sql, team.id, readInput(io, file!));
        return { json: result, text: `Imported ${result.imported} people from ${result.rows} rows.` };
      }),
    );

  addPersonList(person, io);
  addPersonExport(person, io);

  subcommand(
    person,
    'erase',
    'Erases a person: email, names, visitor ids, subscriptions and refused reports go; the orders stay with their money, dates, orderId and items, and belong to nobody. What you wrote into orderId or items yourself stays.',
    'person erase --team team_… --email ann@shop.example',
  )
    .requiredOption('--team <id>', 'the team')
    .requiredOption('--email <email>', 'the email')
    .action(
      withDatabase<{ team: string; email: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const email = requireEmail(options.email);
        const id = personUuid(await findSecret(sql), team.id, email);
        const erased = await eraseBuyer(sql, team.id, { id, email });
        if (!erased) throw noSuchPerson(email);
        const { name, orders, subscriptions, refused } = erased;
        return {
          json: { id: encodeId('ppl', id), email, name, orders, subscriptions, refused },
          text: `Erased ${email}: ${orders} orders kept without the person, ${subscriptions} subscriptions and ${refused} refused reports removed.`,
        };
      }),
    );
}
