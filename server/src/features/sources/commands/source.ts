import { Argument, type Command } from 'commander';
import {
  type TeamContext,
  teamSubcommand,
  UsageError,
  unknownId,
  withTeam,
} from '../../../commands/command.js';
import type { CommandIo } from '../../../commands/io.js';
import { addList, addRemove } from '../../../commands/resource.js';
import type { CommandServices } from '../../../host/host.js';
import { command } from '../../../values/command.js';
import { describeAsked } from '../ask/syncSource.js';
import { providers } from '../providers.js';
import { addSource, removeSource } from '../setup/addSource.js';
import { describePrefix } from '../setup/describePrefix.js';
import { type ShopAccess, type ShopSource, type SourceKind, sourceKinds, sourcesAtMost } from '../source.js';
import { listApartHosts } from '../sql/apartEvent.js';
import { listSources, replaceAccess, replaceSecret } from '../sql/source.js';
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

/** Adds the commands `orderbeacon source …`. */
export function addSourceCommands(program: Command, { io, extrasOf }: CommandServices): void {
  const source = program
    .command('source')
    .description(
      'Shop systems that send paid orders and refunds by signed webhook, and are asked for the rest.',
    );
  addAdd(source, io);
  addUpdate(source, io);
  addSourceSync(source, io, extrasOf);
  addList(source, io, {
    description: 'Lists the sources with their URLs. A secret or a key is never shown.',
    read: readSources,
    columns: {
      ID: (row) => row.id,
      KIND: (row) => row.kind,
      MODE: (row) => (row.isTest ? 'test' : 'live'),
      SECRET: (row) => (row.hasSecret ? 'yes' : 'no'),
      'LAST EVENT': (row) => row.lastEventAt && `${row.lastEventAt.toISOString()} ${row.lastOutcome}`,
      'LAST SYNC': (row) => row.lastSync,
      URL: (row) => row.url,
    },
  });
  addRemove(source, io, {
    verb: 'remove',
    description: 'Removes a source. Its URL stops working immediately; what it reported stays.',
    prefix: 'src',
    noun: 'source',
    remove: ({ sql, team }, id) => removeSource(sql, team.id, id),
  });
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
      const { orderIdPrefix = '' } = options;
      const isAsked = options.orderIdPrefix !== undefined;
      const sources = await listSources(context.sql, team.id);
      const hint = describePrefix(sources, { kind, isTest, orderIdPrefix, isAsked });
      if (hint !== null)
        throw new UsageError(`--order-id-prefix: ${hint}${isAsked ? '' : ' (--order-id-prefix "")'}.`);
      const access = await readAccess(io, { kind, isTest }, options);
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
      `Then add the secret that ${name} shows: ${command} source update --team ${team} ${shown.id} --secret-file FILE`,
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
      const access = await readAccess(io, found, options);
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

/** Lists the sources in the form that `--json` prints. */
async function readSources({ team, ...context }: TeamContext) {
  const [sources, apart] = await Promise.all([
    listSources(context.sql, team.id),
    listApartHosts(context.sql, team.id),
  ]);
  return Promise.all(
    sources.map(async (each) => ({
      ...(await showSource(context, each)),
      createdAt: each.createdAt,
      lastEventAt: each.lastEventAt,
      lastOutcome: each.lastOutcome,
      unsignedEvents: each.unsignedEvents,
      largeEvents: each.largeEvents,
      largeAt: each.largeAt,
      otherHosts: apart
        .filter(({ sourceId }) => sourceId === each.id)
        .map(({ host, events, lastAt }) => ({ host, events, lastAt })),
      syncedAt: each.syncedAt,
      lastSync: each.lastSync && describeAsked(each.kind, each.lastSync),
    })),
  );
}
