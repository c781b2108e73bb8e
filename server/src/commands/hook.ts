import type { Command } from 'commander';
import { type Hook, hookEvents, hooksAtMost, parseNewHook, slackEvents } from '../hooks/hook.js';
import { countPending } from '../hooks/sql/delivery.js';
import { type ListedHook, listHooks, removeHook } from '../hooks/sql/hook.js';
import { addHook } from '../hooks/teamHooks.js';
import { decodeId, encodeId } from '../values/ids.js';
import { table, teamSubcommand, UsageError, unknownId, withTeam } from './command.js';
import type { CommandIo } from './io.js';

/** `orderbeacon hook …` */
export function addHookCommands(program: Command, io: CommandIo): void {
  const hook = program
    .command('hook')
    .description('Webhooks: URLs of other systems that get orders, refunds and enrollments.');
  addAdd(hook, io);
  addList(hook, io);
  addRemove(hook, io);
}

interface AddOptions {
  test?: boolean;
  slack?: boolean;
  allowPrivate?: boolean;
  events?: string;
}

function addAdd(hook: Command, io: CommandIo): void {
  teamSubcommand(
    hook,
    'add',
    'Adds a webhook and shows its secret once, with which the receiver checks the signatures.',
    'hook add --team team_… https://shop.example/hooks --events order.created,order.refunded',
  )
    .argument('<url>', 'the https URL that is called')
    .option('--events <events>', `with commas between them, of ${hookEvents.join(', ')}; default: all`)
    .option('--test', 'it gets test orders, and no live ones')
    .option('--slack', `it gets a line of text, as Slack expects it, of ${slackEvents.join(' and ')} alone`)
    .option('--allow-private', 'the URL may lead to a private network or this machine, also by plain http')
    .action(
      withTeam<AddOptions>(io, async ({ sql, team }, options, url) => {
        const parsed = parseNewHook({
          url: url!,
          events: options.events?.split(',').map((event) => event.trim()) ?? null,
          isTest: options.test ?? false,
          format: options.slack ? 'slack' : 'standard',
          allowsPrivate: options.allowPrivate ?? false,
        });
        if ('hint' in parsed) throw new UsageError(`Not added: ${parsed.hint}.`);
        const added = await addHook(sql, team.id, parsed);
        if (!added) throw new UsageError(`This team has ${hooksAtMost} webhooks. Remove one first.`);
        const { secret } = added;
        return {
          json: { ...show(added), isEnabled: true, secret },
          text: `${showSecret(added)}\nTo try it, press Send a test on the page Webhooks: orderbeacon console --team ${options.team}`,
        };
      }),
    );
}

/** Shows the secret of a new hook, but not to users of Slack, which checks no signature. */
const showSecret = ({ format, secret }: Hook) =>
  format === 'slack'
    ? 'Added. Slack needs no secret.'
    : `${secret}\nCopy it now: it is not shown again. The receiver checks the signatures with it.`;

function addList(hook: Command, io: CommandIo): void {
  teamSubcommand(
    hook,
    'list',
    'Lists the webhooks. A secret is never shown.',
    'hook list --team team_…',
  ).action(
    withTeam(io, async ({ sql, team }) => {
      const pending = await countPending(sql, team.id);
      const hooks = (await listHooks(sql, team.id)).map((each) => ({
        ...show(each),
        isEnabled: each.disabledAt === null,
        createdAt: each.createdAt,
        failingSince: each.failingSince,
        disabledAt: each.disabledAt,
        disabledReason: each.disabledReason,
        pending: pending.find(({ hookId }) => hookId === each.id)?.deliveries ?? 0,
      }));
      const rows = hooks.map((each) => [
        each.id,
        each.isTest ? 'test' : 'live',
        stateOf(each),
        each.pending,
        each.events.join(','),
        each.url,
      ]);
      return { json: hooks, text: table(['ID', 'MODE', 'STATE', 'PENDING', 'EVENTS', 'URL'], rows) };
    }),
  );
}

function addRemove(hook: Command, io: CommandIo): void {
  teamSubcommand(
    hook,
    'remove',
    'Removes a webhook. What waits for it is not sent.',
    'hook remove --team team_… hook_…',
  )
    .argument('<hook-id>', 'its id, from hook list')
    .action(
      withTeam(io, async ({ sql, team }, options, text) => {
        const id = decodeId('hook', text!);
        const isKnown = id && (await listHooks(sql, team.id)).some((known) => known.id === id);
        if (!isKnown) throw unknownId('webhook', text!, { list: 'hook list', team: options.team });
        await removeHook(sql, team.id, id);
        return { json: { id: text, removed: true }, text: `Removed ${text}.` };
      }),
    );
}

function show({ id, url, events, isTest, format, allowsPrivate }: Omit<ListedHook, keyof Disabled>) {
  return { id: encodeId('hook', id), url, events, isTest, format, allowsPrivate };
}

/** Fields that a new hook lacks. */
type Disabled = Pick<ListedHook, 'createdAt' | 'failingSince' | 'disabledAt' | 'disabledReason'>;

function stateOf({ disabledAt, disabledReason, failingSince }: Omit<Disabled, 'createdAt'>): string {
  if (disabledAt)
    return `off since ${disabledAt.toISOString()}${disabledReason ? `: ${disabledReason}` : ''}`;
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
}
