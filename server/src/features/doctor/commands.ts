import type { Command } from 'commander';
import { type Check, type CheckPart, fail } from '../../commands/check.js';
import { requireTeam, subcommand, UsageError } from '../../commands/command.js';
import { type CommandIo, print } from '../../commands/io.js';
import { openForCommand } from '../../commands/openForCommand.js';
import { type Config, readConfig } from '../../config.js';
import { findPublicUrl, findSecret, installationId } from '../../database/installation.js';
import type { Database } from '../../database/openDatabase.js';
import type { CommandServices } from '../../host/host.js';
import { command as path } from '../../values/command.js';
import { DatabaseError } from '../../values/errors.js';
import { sanitizeForTerminal } from '../../values/sanitizeForTerminal.js';
import { parseWebUrl } from '../../values/url.js';
import { checkDatabase } from './checkDatabase.js';
import { checkDisk } from './checkDisk.js';
import { checkPublicUrl } from './checkPublicUrl.js';
import { checkTeam } from './checkTeam.js';

/** Adds the command `orderbeacon doctor`. */
export function addDoctorCommand(program: Command, { io, checks: parts }: CommandServices): void {
  subcommand(
    program,
    'doctor',
    'Checks everything that orders need to arrive: database, clock, disk, public URL, TLS and proxies; with --team its keys and domains; with a URL the tag on that page. Each problem comes with its fix. The exit code is 1 when there is a problem.',
    'doctor --team team_… https://shop.example/thanks',
  )
    .argument('[url]', 'a page with the tag')
    .option('--team <id>', 'the team')
    .action(async (url: string | undefined, options: { team?: string; json?: boolean }) => {
      if (url !== undefined && !parseWebUrl(url)) {
        throw new UsageError(`The page must be a URL such as https://shop.example/thanks, not "${url}".`);
      }
      const { checks, publicUrl } = await examine(io, parts, { teamId: options.team ?? null, url });
      await print(io, options.json ? `${JSON.stringify(checks, null, 2)}\n` : describe(checks, publicUrl));
      if (checks.some(({ ok }) => !ok)) io.exitCode = 1;
    });
}

/** The result of `doctor`. */
interface Examination {
  checks: Check[];
  /** The public URL, for links to documents that explain problems; null unless its check has passed. */
  publicUrl: string | null;
}

async function examine(
  io: CommandIo,
  parts: readonly CheckPart[],
  asked: { teamId: string | null; url: string | undefined },
): Promise<Examination> {
  const config = readConfig(io.env);
  const checks: Check[] = [];
  const options = { poolSize: 1, creates: false };
  const database = await openForCommand(io, config, options).catch((error: Error) => error);
  if (database instanceof Error) {
    const fix = database instanceof DatabaseError ? database.fix : null;
    checks.push(
      fail(
        'database',
        // The message ends with the fix, which is printed on a separate line here.
        fix === null ? database.message : database.message.replace(` ${fix}`, ''),
        fix ??
          // A message about a data folder ends with its fix. Then only to start the server would be refused, too.
          `${config.databaseUrl === null ? 'Do as the message says' : 'Start it'}, or give this command the server’s settings (ORDERBEACON_ENV_FILE).`,
      ),
    );
    return examineWeb(checks, parts, { config, ...asked });
  }
  try {
    checks.push(...(await checkDatabase(database.sql, database.name)));
    if (database.folder !== null) checks.push(await checkDisk(database.folder));
    // Without all migrations, nothing else can be read.
    const isReadable = checks.every(({ check, ok }) => ok || check !== 'migrations');
    return await examineWeb(checks, parts, { config, ...asked, ...(isReadable && { database }) });
  } finally {
    await database.close();
  }
}

/**
 * Checks the public URL and the team, and runs the checks of features.
 * @param earlier checks before these
 * @param options.database undefined if it cannot be read
 */
async function examineWeb(
  earlier: Check[],
  parts: readonly CheckPart[],
  {
    config,
    teamId,
    url,
    database,
  }: {
    config: Config;
    teamId: string | null;
    url: string | undefined;
    database?: Database;
  },
): Promise<Examination> {
  const checks = [...earlier];
  const sql = database?.sql;
  const publicUrl = config.publicUrl ?? (sql && (await findPublicUrl(sql))) ?? null;
  if (publicUrl === null) {
    checks.push(
      fail(
        'public URL',
        'The public URL is not known.',
        `Start the server (${path} serve), or set PUBLIC_URL.`,
      ),
    );
  } else {
    const installation = sql && installationId(await findSecret(sql));
    checks.push(...(await checkPublicUrl(publicUrl, installation)));
  }
  const isReached = checks.some(({ check, ok }) => check === 'public URL' && ok);
  if (database && teamId !== null) {
    const { id: uuid } = await requireTeam(database, teamId);
    checks.push(...(await checkTeam(database.sql, { uuid, teamId }, parts)));
  }
  const asked = { sql, publicUrl, teamId, pageUrl: url };
  for (const part of parts) checks.push(...((await part.checks?.(asked)) ?? []));
  return { checks, publicUrl: isReached ? publicUrl : null };
}

function describe(checks: Check[], publicUrl: string | null): string {
  const lines = checks.flatMap(({ check, ok, message, fix }) => [
    `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(10)}  ${message}`,
    ...(fix === null ? [] : [`${' '.repeat(18)}${ok ? 'Note' : 'Fix'}: ${fix}`]),
    ...(ok ? [] : docsOf(check, publicUrl).map((docs) => `${' '.repeat(18)}See: ${docs}`)),
  ]);
  const wrong = checks.filter(({ ok }) => !ok).length;
  lines.push(
    wrong === 0
      ? `All ${checks.length} checks passed${checks.some(({ fix }) => fix !== null) ? '; read the note' : ''}.`
      : `${wrong} of ${checks.length} checks found a problem.`,
  );
  return `${lines.map(sanitizeForTerminal).join('\n')}\n`;
}

/** Documents that explain the problems found by a check, by the check's name. They are addresses below `/docs`. */
export const documents: Record<string, string> = {
  database: 'settings',
  migrations: 'upgrading#who-changes-the-schema',
  connections: 'database-settings#what-can-go-wrong',
  rights: 'database-settings#who-may-read-the-tables',
  collation: 'database-settings#what-can-go-wrong',
  clock: 'several-servers',
  nodes: 'citus#ask-the-workers',
  disk: 'capacity',
  'public URL': 'proxy',
  TLS: 'proxy',
  proxies: 'proxy',
  keys: 'errors#invalid_api_key',
  domains: 'errors#domain_not_allowed',
  host: 'errors#domain_not_allowed',
  tag: 'sdk/tag',
  order: 'sdk/debugging',
  script: 'sdk/debugging',
  endpoint: 'recipes/own-host',
  page: 'sdk/debugging',
  policy: 'sdk/debugging',
};

/**
 * Lists the address of the document on a check's problem, on the server with this public URL. Empty if the URL is
 * unknown.
 */
export function docsOf(check: string, publicUrl: string | null): string[] {
  const document = documents[check];
  return publicUrl === null || document === undefined ? [] : [`${publicUrl}/docs/${document}`];
}
