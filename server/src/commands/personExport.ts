import type { Command } from 'commander';
import { addRefunds } from '../core/orders/read/addRefunds.js';
import { listOrders } from '../core/orders/read/sql/listOrders.js';
import { findPerson } from '../core/people/sql/person.js';
import { listSubscriptions } from '../core/people/sql/sequence.js';
import type { Sql } from '../database/connection/connect.js';
import { encodeId, type Uuid } from '../values/ids.js';
import { teamSubcommand, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { noSuchPerson, readNamedPerson } from './namedPerson.js';
import type { PersonPart } from './personPart.js';

/** `orderbeacon person export` */
export function addPersonExport(person: Command, io: CommandIo, parts: readonly PersonPart[]): void {
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

/** Reads what is stored of a person and of the email. Somebody of whom only features keep something has no `createdAt`. */
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
