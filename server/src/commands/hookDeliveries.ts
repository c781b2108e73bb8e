import type { Command } from 'commander';
import { readTime } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { deliveryState, type HookDelivery } from '../hooks/hookDelivery.js';
import { findDeliveries, listDeliveries } from '../hooks/sql/delivery.js';
import { listHooks } from '../hooks/sql/hook.js';
import { resendDelivery, resendFailed } from '../hooks/sql/resendDelivery.js';
import { decodeId, encodeId, type Uuid } from '../values/ids.js';
import { parseLimit, table, teamSubcommand, UsageError, withTeam } from './command.js';
import { type CommandIo, note } from './io.js';
import { createProgress } from './progress.js';
import { requireHook } from './requireHook.js';
import { momentHelp, parseMoment } from './time.js';

const limitAtMost = 10_000;

interface DeliveriesOptions {
  failed?: boolean;
  since?: string;
  limit: string;
}

/** `orderbeacon hook deliveries` */
export function addHookDeliveries(hook: Command, io: CommandIo): void {
  teamSubcommand(
    hook,
    'deliveries',
    'Lists what webhooks were sent in the last 30 days, the newest first, with the last answer of each.',
    'hook deliveries --team team_… hook_… --failed',
  )
    .argument('[hook-id]', 'only of this webhook: its id, from hook list')
    .option('--failed', 'only those whose last attempt failed')
    .option('--since <when>', `only of events since ${momentHelp}`)
    .option('--limit <n>', `how many at most, up to ${limitAtMost}`, '100')
    .action(
      withTeam<DeliveriesOptions>(io, async ({ sql, team }, options, text) => {
        const limit = parseLimit(options.limit, limitAtMost);
        const { failed: onlyFailed, since } = options;
        const found = await listDeliveries(sql, team.id, {
          hookId: text && (await requireHook(sql, team.id, { text, team: options.team })).id,
          onlyFailed,
          since: since === undefined ? undefined : parseMoment('--since', since, await readTime(sql)).at,
          limit: limit + 1,
        });
        if (found.length > limit) note(io, `These are the newest ${limit}. --limit lists more.`);
        const deliveries = found.slice(0, limit).map(toListed);
        const rows = deliveries.map(({ id, createdAt, type, subject, state, attempts, status, error }) => [
          id,
          createdAt.toISOString(),
          type,
          subject,
          state,
          attempts,
          error ?? status,
        ]);
        const heading = ['ID', 'EVENT AT (UTC)', 'TYPE', 'OF', 'STATE', 'ATTEMPTS', 'ANSWER'];
        return { json: deliveries, text: table(heading, rows) };
      }),
    );
}

interface ResendOptions {
  failed?: boolean;
  since?: string;
  hook?: string;
}

/** `orderbeacon hook resend` */
export function addHookResend(hook: Command, io: CommandIo): void {
  teamSubcommand(
    hook,
    'resend',
    'Has deliveries sent again by the running server, as if they were new. One that is sent within a minute anyway is left alone.',
    'hook resend --team team_… --failed --since 24h',
  )
    .argument('[ids...]', 'ids msg_… from hook deliveries, each to all webhooks that got it; or --failed')
    .option('--failed', 'all whose last attempt failed')
    .option('--since <when>', `with --failed, of events since ${momentHelp}; default: all`)
    .option('--hook <id>', 'with --failed, of this webhook; default: of all')
    .action(
      withTeam<ResendOptions, [string[]]>(io, async ({ sql, team }, options, ids) => {
        if (ids.length > 0 === (options.failed ?? false)) throw new UsageError('Give ids, or --failed.');
        if (!options.failed && (options.since !== undefined || options.hook !== undefined))
          throw new UsageError('--since and --hook select among the failed ones: add --failed.');
        const { resent, left } = options.failed
          ? { resent: await resendAllFailed(sql, team.id, options, io), left: 0 }
          : await resendEach(sql, team.id, ids, options.team);
        const others = left > 0 ? ` Left alone: ${left}, due within a minute or about what is gone.` : '';
        return { json: { resent }, text: `${resent} ${resent === 1 ? 'is' : 'are'} sent again.${others}` };
      }),
    );
}

async function resendAllFailed(
  sql: Sql,
  teamId: Uuid,
  { hook: text, since, team }: ResendOptions & { team: string },
  io: CommandIo,
): Promise<number> {
  const from = since === undefined ? new Date(0) : parseMoment('--since', since, await readTime(sql)).at;
  const hooks =
    text === undefined ? await listHooks(sql, teamId) : [await requireHook(sql, teamId, { text, team })];
  const progress = createProgress(io, 'deliveries');
  let before = 0;
  for (const { id: hookId, disabledAt } of hooks) {
    const { deliveries } = await resendFailed(sql, teamId, {
      hookId,
      since: from,
      onResent: (count) => progress.show(before + count),
    });
    before += deliveries;
    if (disabledAt && deliveries > 0) {
      const id = encodeId('hook', hookId);
      note(
        io,
        `${id} is switched off. Its ${deliveries} wait for: orderbeacon hook enable --team ${team} ${id}`,
      );
    }
  }
  progress.end(before);
  return before;
}

async function resendEach(sql: Sql, teamId: Uuid, texts: readonly string[], team: string) {
  const deliveries: HookDelivery[] = [];
  for (const text of texts) {
    const id = decodeId('msg', text);
    const found = id ? await findDeliveries(sql, teamId, id) : [];
    if (found.length === 0) throw noSuchDelivery(text, team);
    deliveries.push(...found);
  }
  let resent = 0;
  for (const delivery of deliveries) if (await resendDelivery(sql, teamId, delivery)) resent++;
  return { resent, left: deliveries.length - resent };
}

function noSuchDelivery(text: string, team: string): UsageError {
  return new UsageError(
    `This team has no delivery "${text}". See: orderbeacon hook deliveries --team ${team}`,
  );
}

/** Turns a delivery into the form that the command prints. */
function toListed({ id, hookId, type, subjectId, ...rest }: HookDelivery) {
  const prefix = type.startsWith('enrollment.') ? 'sub' : 'ord';
  return {
    id: encodeId('msg', id),
    hookId: encodeId('hook', hookId),
    type,
    subject: subjectId && encodeId(prefix, subjectId),
    state: deliveryState(rest),
    ...rest,
  };
}
