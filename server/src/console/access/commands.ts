import type { Command } from 'commander';
import { teamSubcommand, UsageError, unknownId, withTeam, withTypeId } from '../../commands/command.js';
import type { CommandIo } from '../../commands/io.js';
import { addList } from '../../commands/resource.js';
import { chooseServerUrl } from '../../commands/serverUrl.js';
import { parseSpan } from '../../commands/time.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { dayMs } from '../../values/time.js';
import { makeConsoleLink } from './consoleAccess.js';
import { listConsoleSessions, revokeConsoleSessions } from './consoleSession.js';

const validAtMostMs = 7 * dayMs;

/** `orderbeacon console …` */
export function addConsoleCommands(program: Command, io: CommandIo): void {
  const console = program
    .command('console')
    .description('Links that sign in to a team’s console, and the browsers that are signed in.');

  teamSubcommand(
    console,
    'open',
    'Prints a link that signs in to the team’s console once. You can leave out "open".',
    'console --team team_… --valid 1h',
    { isDefault: true },
  )
    .option('--read-only', 'the browser may look, and change nothing')
    .option('--valid <span>', 'how long the link works, such as 15m, 1h or 2d; at most 7d', '15m')
    .action(
      withTeam<{ valid: string; readOnly?: boolean }>(io, async ({ sql, config, team }, options) => {
        const isReadOnly = options.readOnly === true;
        const validMs = parseValid(options.valid);
        const publicUrl = await chooseServerUrl(sql, config);
        const link = await makeConsoleLink(sql, { publicUrl, teamId: team.id, validMs, isReadOnly });
        const expiresAt = link.expiresAt.toISOString();
        return {
          json: { url: link.url, expiresAt },
          text: `${link.url}\nIt works once, until ${expiresAt}. Anyone who opens it can see${isReadOnly ? '' : ' and change'} this team’s data.`,
        };
      }),
    );

  addList(console, io, {
    description: 'Lists the browsers that are signed in.',
    read: async ({ sql, team }) =>
      (await listConsoleSessions(sql, team.id)).map(({ hash: _, ...row }) => withTypeId('ses', row)),
    columns: {
      ID: (row) => row.id,
      BROWSER: (row) => row.browser ?? '–',
      ACCESS: (row) => (row.isReadOnly ? 'read-only' : 'full'),
      'SIGNED IN': (row) => row.createdAt,
      'LAST SEEN': (row) => row.lastSeenAt,
      ENDS: (row) => row.expiresAt,
    },
  });

  teamSubcommand(
    console,
    'revoke',
    'Signs one browser out immediately, or all browsers. Signing all out also makes every unused link useless.',
    'console revoke --team team_…',
  )
    .argument('[session-id]', 'its id, from console list; default: all')
    .action(
      withTeam(io, async ({ sql, team }, _options, sessionId) => {
        const id = sessionId === undefined ? undefined : decodeId('ses', sessionId);
        const revoked =
          id === null ? { sessions: 0, links: 0 } : await revokeConsoleSessions(sql, team.id, id);
        if (id !== undefined && revoked.sessions === 0) {
          throw unknownId('session', sessionId!, { list: 'console list', team: encodeId('team', team.id) });
        }
        return { json: revoked, text: `Revoked ${revoked.sessions} sessions and ${revoked.links} links.` };
      }),
    );
}

function parseValid(text: string): number {
  const ms = parseSpan(text);
  if (ms !== null && ms > 0 && ms <= validAtMostMs) return ms;
  throw new UsageError(`--valid must be a time from 1m to 7d such as 15m, 1h or 2d, not "${text}".`);
}
