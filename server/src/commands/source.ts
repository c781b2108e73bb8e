import { Argument, type Command } from 'commander';
import { addSource, removeSource } from '../sources/addSource.js';
import { parseSecret } from '../sources/parseSecret.js';
import { providers } from '../sources/providers.js';
import {
  type ShopSource,
  type SourceKind,
  sourceKinds,
  sourcePath,
  sourcesAtMost,
} from '../sources/source.js';
import { listSources, replaceSecret } from '../sources/sql/source.js';
import { decodeId, encodeId } from '../values/ids.js';
import { type CommandContext, table, teamSubcommand, UsageError, unknownId, withTeam } from './command.js';
import { readWholeInput } from './input.js';
import type { CommandIo } from './io.js';
import { chooseServerUrl } from './serverUrl.js';

const secretHelp =
  'a file with the signing secret, or - for stdin; never on the command line, where others see it';

/** `orderbeacon source …` */
export function addSourceCommands(program: Command, io: CommandIo): void {
  const source = program
    .command('source')
    .description('Shop systems that send paid orders and refunds by signed webhook.');

  teamSubcommand(
    source,
    'add',
    'Makes the URL that a shop system sends its webhooks to.',
    'source add --team team_… stripe --secret-file secret.txt',
  )
    .addArgument(new Argument('<kind>', 'the shop system').choices(sourceKinds))
    .option('--secret-file <file>', `${secretHelp}. Without it nothing is accepted until "source update"`)
    .option('--test', 'everything that it says is a test, whatever its events say')
    .action(
      withTeam<{ secretFile?: string; test?: boolean }>(io, async ({ team, ...context }, options, given) => {
        const kind = given as SourceKind;
        const { secretFile, test: isTest = false } = options;
        const secret = secretFile === undefined ? null : await readSecret(io, kind, secretFile);
        const added = await addSource(context.sql, team.id, { kind, isTest, secret });
        if (!added) throw new UsageError(`This team has ${sourcesAtMost} sources. Remove one first.`);
        const shown = await show(context, added);
        const next =
          secret === null
            ? `\nThen add the secret that ${providers[kind].name} shows: orderbeacon source update --team ${options.team} ${shown.id} --secret-file FILE`
            : '';
        return {
          json: shown,
          text: `${shown.url}\nGive this URL to ${providers[kind].name}, with the events ${shown.events.join(', ')}.${next}`,
        };
      }),
    );

  teamSubcommand(
    source,
    'update',
    'Replaces the signing secret of a source.',
    'source update --team team_… src_… --secret-file secret.txt',
  )
    .argument('<source-id>', 'its id, from source list')
    .requiredOption('--secret-file <file>', secretHelp)
    .action(
      withTeam<{ secretFile: string }>(io, async ({ team, ...context }, options, text) => {
        const id = decodeId('src', text!);
        const found = (await listSources(context.sql, team.id)).find((each) => each.id === id);
        if (!found) throw unknownId('source', text!, { list: 'source list', team: options.team });
        const secret = await readSecret(io, found.kind, options.secretFile);
        if (!(await replaceSecret(context.sql, team.id, found.id, secret)))
          throw unknownId('source', text!, { list: 'source list', team: options.team });
        return { json: await show(context, { ...found, secret }), text: `Updated ${text}.` };
      }),
    );

  teamSubcommand(
    source,
    'list',
    'Lists the sources with their URLs. A secret is never shown.',
    'source list --team team_…',
  ).action(
    withTeam(io, async ({ team, ...context }) => {
      const sources = await Promise.all(
        (await listSources(context.sql, team.id)).map(async (each) => ({
          ...(await show(context, each)),
          createdAt: each.createdAt,
          lastEventAt: each.lastEventAt,
          lastOutcome: each.lastOutcome,
        })),
      );
      const rows = sources.map((each) => [
        each.id,
        each.kind,
        each.isTest ? 'test' : 'live',
        each.hasSecret ? 'yes' : 'no',
        each.lastEventAt === null ? null : `${each.lastEventAt.toISOString()} ${each.lastOutcome}`,
        each.url,
      ]);
      return { json: sources, text: table(['ID', 'KIND', 'MODE', 'SECRET', 'LAST EVENT', 'URL'], rows) };
    }),
  );

  teamSubcommand(
    source,
    'remove',
    'Removes a source. Its URL stops working immediately; what it told of stays.',
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

async function show({ sql, config }: CommandContext, source: ShopSource) {
  const { kind, isTest, secret } = source;
  return {
    id: encodeId('src', source.id),
    kind,
    url: `${await chooseServerUrl(sql, config)}${sourcePath(source)}`,
    events: providers[kind].events,
    isTest,
    hasSecret: secret !== null,
  };
}

async function readSecret(io: CommandIo, kind: SourceKind, path: string): Promise<string> {
  const parsed = parseSecret(kind, await readWholeInput(io, path));
  if ('hint' in parsed) throw new UsageError(`--secret-file: ${parsed.hint}.`);
  return parsed.secret;
}
