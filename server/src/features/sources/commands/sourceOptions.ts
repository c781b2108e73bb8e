import type { Command } from 'commander';
import { type CommandContext, UsageError, unknownId } from '../../../commands/command.js';
import { readWholeInput } from '../../../commands/input.js';
import type { CommandIo } from '../../../commands/io.js';
import { chooseServerUrl } from '../../../commands/serverUrl.js';
import { listDomains } from '../../../core/teams/sql/domain.js';
import { decodeId, encodeId } from '../../../values/ids.js';
import { providers } from '../providers.js';
import { describeMode, describeReach } from '../setup/describeReach.js';
import { parseAccess } from '../setup/parseAccess.js';
import { parseSecret } from '../setup/parseSecret.js';
import { type ShopAccess, type ShopSource, type SourceKind, sourcePath } from '../source.js';
import { type ListedSource, listSources } from '../sql/source.js';

/** Help text of `--secret-file`. */
export const secretHelp =
  'a file with the signing secret, or - for stdin; never on the command line, where others see it';

/** Options for a source's signing secret and for its shop's API. */
export interface AccessOptions {
  secretFile?: string;
  apiKeyFile?: string;
  shopUrl?: string;
  allowPrivate?: boolean;
}

/** Adds the options of a shop's API. */
export function withAccess(command: Command): Command {
  return command
    .option('--api-key-file <file>', 'a file with a read-only key of the shop’s API, or - for stdin')
    .option('--shop-url <url>', 'the address of the shop, such as https://shop.example; not for Stripe')
    .option('--allow-private', 'the shop may be in a private network or on this machine, also by plain http');
}

/** Converts a source into the form that commands print. It leaves out the signing secret and the API key. */
export async function showSource({ sql, config }: CommandContext, source: ShopSource & ShopAccess) {
  const { kind, isTest, secret, orderIdPrefix, shopUrl, apiKey } = source;
  const domains = await listDomains(sql, source.teamId);
  const url = `${await chooseServerUrl(sql, config)}${sourcePath(source)}`;
  return {
    id: encodeId('src', source.id),
    kind,
    url,
    events: providers[kind].events,
    isTest,
    orderIdPrefix,
    hasSecret: secret !== null,
    hasApiKey: apiKey !== null,
    shopUrl,
    warning: [describeReach(kind, url), describeMode(source, domains)].filter(Boolean).join(' ') || null,
  };
}

/** Reads the signing secret from the file of `--secret-file`. @throws UsageError */
export async function readSecret(io: CommandIo, kind: SourceKind, path: string): Promise<string> {
  const parsed = parseSecret(kind, await readWholeInput(io, path));
  if ('hint' in parsed) throw new UsageError(`--secret-file: ${parsed.hint}.`);
  return parsed.secret;
}

/** Reads the options of a shop's API. Returns null without `--api-key-file`. @throws UsageError */
export async function readAccess(
  io: CommandIo,
  source: Pick<ShopSource, 'kind' | 'isTest'>,
  { apiKeyFile, shopUrl = '', allowPrivate = false }: AccessOptions,
): Promise<ShopAccess | null> {
  if (apiKeyFile === undefined) {
    if (shopUrl !== '' || allowPrivate)
      throw new UsageError('Give --api-key-file with --shop-url and --allow-private.');
    return null;
  }
  const apiKey = await readWholeInput(io, apiKeyFile);
  const parsed = parseAccess(source, { shopUrl, apiKey, allowsPrivate: allowPrivate });
  if ('hint' in parsed) throw new UsageError(`Not saved: ${parsed.hint}.`);
  return parsed.access;
}

/** Finds the source that an argument names. @throws UsageError */
export async function requireSource(
  { sql }: Pick<CommandContext, 'sql'>,
  { team, teamId }: { team: { id: ListedSource['teamId'] }; teamId: string },
  text: string,
): Promise<ListedSource> {
  const id = decodeId('src', text);
  const found = (await listSources(sql, team.id)).find((each) => each.id === id);
  if (!found) throw unknownId('source', text, { list: 'source list', team: teamId });
  return found;
}
