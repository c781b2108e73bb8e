import type { Command } from 'commander';
import { publicUrlOf } from '../config.js';
import { makeConsoleLink } from '../teams/consoleLink.js';
import { listConsoleSessions, revokeConsoleSessions } from '../teams/sql/consoleSession.js';
import { decodeId, encodeId } from '../values/ids.js';
import { requireTeam, subcommand, table, UsageError, withDatabase, withTypeId } from './command.js';
import type { CommandIo } from './io.js';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const validAtMostMs = 7 * unitMs.d;

/** `orderbeacon console …` */
export function addConsoleCommands(program: Command, io: CommandIo): void {
  const console = program
    .command('console')
    .description('Links to a team’s console in the browser, and who is signed in there.');

  subcommand(
    console,
    'open',
    'Prints a link that opens the team’s console once; "open" may be left out.',
    'console --team team_… --valid 1h',
    { isDefault: true },
  )
    .requiredOption('--team <id>', 'the team')
    .option('--valid <span>', 'how long the link works, such as 15m, 1h or 2d; at most 7d', '15m')
    .action(
      withDatabase<{ team: string; valid: string }>(io, async ({ sql, config }, options) => {
        const validMs = parseValid(options.valid);
        const team = await requireTeam(sql, options.team);
        const publicUrl = publicUrlOf(config, config.port);
        const link = await makeConsoleLink(sql, { publicUrl, teamId: team.id, validMs });
        const expiresAt = link.expiresAt.toISOString();
        return {
          json: { url: link.url, expiresAt },
          text: `${link.url}\nIt works once, until ${expiresAt}. Whoever opens it sees and changes this team’s data.`,
        };
      }),
    );

  subcommand(console, 'list', 'Lists the browsers that are signed in.', 'console list --team team_…')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const sessions = (await listConsoleSessions(sql, team.id, new Date())).map((row) =>
          withTypeId('ses', row),
        );
        const rows = sessions.map((row) => [
          row.id,
          row.createdAt.toISOString(),
          row.lastSeenAt.toISOString(),
          row.expiresAt.toISOString(),
        ]);
        return { json: sessions, text: table(['ID', 'SIGNED IN', 'LAST SEEN', 'ENDS'], rows) };
      }),
    );

  subcommand(
    console,
    'revoke',
    'Signs browsers out, at once: one of them, or all, with every link that is still unused.',
    'console revoke --team team_…',
  )
    .argument('[session-id]', 'its id, from console list; default: all')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options, sessionId) => {
        const team = await requireTeam(sql, options.team);
        const id = sessionId === undefined ? undefined : decodeId('ses', sessionId);
        const revoked =
          id === null ? { sessions: 0, links: 0 } : await revokeConsoleSessions(sql, team.id, id);
        if (id !== undefined && revoked.sessions === 0) {
          throw new UsageError(
            `Nobody is signed in to this team by the id "${sessionId}". See: orderbeacon console list --team ${encodeId('team', team.id)}`,
          );
        }
        return { json: revoked, text: `Revoked ${revoked.sessions} sessions and ${revoked.links} links.` };
      }),
    );
}

function parseValid(text: string): number {
  const span = /^([1-9]\d{0,4})([mhd])$/.exec(text);
  const ms = span ? Number(span[1]) * unitMs[span[2] as keyof typeof unitMs] : Number.NaN;
  if (ms <= validAtMostMs) return ms;
  throw new UsageError(`--valid must be a span from 1m to 7d such as 15m, 1h or 2d, unlike "${text}".`);
}
