import { Argument, type Command } from 'commander';
import { addSource, removeSource } from '../sources/addSource.js';
import { parseOrderIdPrefix } from '../sources/parseSecret.js';
import { providers } from '../sources/providers.js';
import {
  type ShopAccess,
  type ShopSource,
  type SourceKind,
  sourceKinds,
  sourcesAtMost,
} from '../sources/source.js';
import { listSources, replaceAccess, replaceSecret } from '../sources/sql/source.js';
import { describeAsked } from '../sources/syncSource.js';
import { decodeId } from '../values/ids.js';
import { type ListenersOf, table, teamSubcommand, UsageError, unknownId, withTeam } from './command.js';
import type { CommandIo } from './io.js';
import {
  type AccessOptions,
  readAccess,
  readSecret,
  requireSource,
  secretHelp,
  showSource,
  withAccess,
} from './sourceOptions.js';
import { addSourceSync } from './sourceSync.js';

interface AddOptions extends AccessOptions {
  test?: boolean;
  orderIdPrefix?: string;
}

/** `orderbeacon source …` */
export function addSourceCommands(program: Command, io: CommandIo, listenersOf: ListenersOf): void {
  const source = program
    .command('source')
    .description(
      'Shop systems that send paid orders and refunds by signed webhook, and are asked for the rest.',
    );
  addAdd(source, io);
  addUpdate(source, io);
  addSourceSync(source, io, listenersOf);
  addList(source, io);
  addRemove(source, io);
}

function addAdd(source: Command, io: CommandIo): void {
  const add = teamSubcommand(
    source,
    'add',
    'Makes the URL that a shop system sends its webhooks to.',
    'source add --team team_… stripe --secret-file secret.txt',
  )
    .addArgument(new Argument('<kind>', 'the shop system').choices(sourceKinds))
    .option('--secret-file <file>', `${secretHelp}. Without it WooCommerce gets one that is made here`)
    .option('--order-id-prefix <prefix>', 'text before its order ids, because two shops may count alike')
    .option('--test', 'everything that it says is a test, whatever its events say');
  withAccess(add).action(
    withTeam<AddOptions>(io, async ({ team, ...context }, options, given) => {
      const kind = given as SourceKind;
      const { secretFile, test: isTest = false } = options;
      const secret = secretFile === undefined ? null : await readSecret(io, kind, secretFile);
      const orderIdPrefix = parseOrderIdPrefix(options.orderIdPrefix ?? '');
      if (orderIdPrefix === null)
        throw new UsageError('--order-id-prefix: a prefix is 1 to 20 visible characters.');
      const access = await readAccess(io, kind, options);
      const added = await addSource(context.sql, team.id, { kind, isTest, secret, orderIdPrefix });
      if (!added) throw new UsageError(`This team has ${sourcesAtMost} sources. Remove one first.`);
      if (access) await replaceAccess(context.sql, team.id, added.id, access);
      const shown = await showSource(context, { ...added, ...(access ?? noAccess) });
      const isMade = secret === null && added.secret !== null;
      return {
        json: { ...shown, ...(isMade && { secret: added.secret }) },
        text: describeAdded(added, shown, { isMade, team: options.team }),
      };
    }),
  );
}

const noAccess: ShopAccess = { shopUrl: null, apiKey: null, allowsPrivate: false };

function describeAdded(
  { kind, secret }: ShopSource,
  shown: Awaited<ReturnType<typeof showSource>>,
  { isMade, team }: { isMade: boolean; team: string },
): string {
  const { name } = providers[kind];
  const lines = [shown.url, `Give this URL to ${name}, with the events ${shown.events.join(', ')}.`];
  if (isMade) lines.push(`${secret}\nEnter it as the secret there. It is not shown again.`);
  if (secret === null)
    lines.push(
      `Then add the secret that ${name} shows: orderbeacon source update --team ${team} ${shown.id} --secret-file FILE`,
    );
  if (shown.warning !== null) lines.push(shown.warning);
  return lines.join('\n');
}

function addUpdate(source: Command, io: CommandIo): void {
  const update = teamSubcommand(
    source,
    'update',
    'Replaces the signing secret of a source, or the key of the shop’s API.',
    'source update --team team_… src_… --secret-file secret.txt',
  )
    .argument('<source-id>', 'its id, from source list')
    .option('--secret-file <file>', secretHelp);
  withAccess(update).action(
    withTeam<AccessOptions>(io, async ({ team, ...context }, options, text) => {
      const { sql } = context;
      const found = await requireSource(context, { team, teamId: options.team }, text!);
      const { secretFile } = options;
      const access = await readAccess(io, found.kind, options);
      if (secretFile === undefined && !access) throw new UsageError('Give --secret-file or --api-key-file.');
      const secret = secretFile === undefined ? null : await readSecret(io, found.kind, secretFile);
      const isFound =
        (secret === null || (await replaceSecret(sql, team.id, found.id, secret))) &&
        (!access || (await replaceAccess(sql, team.id, found.id, access)));
      if (!isFound) throw unknownId('source', text!, { list: 'source list', team: options.team });
      const updated = { ...found, ...access, ...(secret !== null && { secret }) };
      return { json: await showSource(context, updated), text: `Updated ${text}.` };
    }),
  );
}

function addList(source: Command, io: CommandIo): void {
  teamSubcommand(
    source,
    'list',
    'Lists the sources with their URLs. A secret or a key is never shown.',
    'source list --team team_…',
  ).action(
    withTeam(io, async ({ team, ...context }) => {
      const sources = await Promise.all(
        (await listSources(context.sql, team.id)).map(async (each) => ({
          ...(await showSource(context, each)),
          createdAt: each.createdAt,
          lastEventAt: each.lastEventAt,
          lastOutcome: each.lastOutcome,
          unsignedEvents: each.unsignedEvents,
          syncedAt: each.syncedAt,
          lastSync: each.lastSync && describeAsked(each.kind, each.lastSync),
        })),
      );
      const rows = sources.map((each) => [
        each.id,
        each.kind,
        each.isTest ? 'test' : 'live',
        each.hasSecret ? 'yes' : 'no',
        each.lastEventAt === null ? null : `${each.lastEventAt.toISOString()} ${each.lastOutcome}`,
        each.lastSync,
        each.url,
      ]);
      const heads = ['ID', 'KIND', 'MODE', 'SECRET', 'LAST EVENT', 'LAST SYNC', 'URL'];
      return { json: sources, text: table(heads, rows) };
    }),
  );
}

function addRemove(source: Command, io: CommandIo): void {
  teamSubcommand(
    source,
    'remove',
    'Removes a source. Its URL stops working immediately; what it reported stays.',
    'source remove --team team_… src_…',
  )
    .argument('<source-id>', 'its id, from source list')
    .action(
      withTeam(io, async ({ sql, team }, options, text) => {
        const id = decodeId('src', text!);
        if (!id || !(await removeSource(sql, team.id, id)))
          throw unknownId('source', text!, { list: 'source list', team: options.team });
        return { json: { id: text, removed: true }, text: `Removed ${text}.` };
      }),
    );
}
