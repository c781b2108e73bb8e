import type { Command } from 'commander';
import { type TeamContext, teamSubcommand, UsageError, withTeam } from '../../../commands/command.js';
import type { CommandIo } from '../../../commands/io.js';
import { addList, addRemove } from '../../../commands/resource.js';
import type { CommandServices } from '../../../host/host.js';
import { command } from '../../../values/command.js';
import { encodeId } from '../../../values/ids.js';
import { type Hook, hookEvents, hooksAtMost, parseNewHook, slackEvents } from '../hook.js';
import { countPending } from '../sql/delivery.js';
import { type ListedHook, listHooks, removeHook } from '../sql/hook.js';
import { addHook } from '../teamHooks.js';

/** Adds the commands `orderbeacon hook …`. */
export function addHookCommands(program: Command, { io }: CommandServices): void {
  const hook = program
    .command('hook')
    .description('Webhooks: URLs of other systems that get orders, refunds and enrollments.');
  addAdd(hook, io);
  addList(hook, io, {
    description: 'Lists the webhooks. A secret is never shown.',
    read: readHooks,
    columns: {
      ID: (row) => row.id,
      MODE: (row) => (row.isTest ? 'test' : 'live'),
      STATE: stateOf,
      PENDING: (row) => row.pending,
      EVENTS: (row) => row.events.join(','),
      URL: (row) => row.url,
    },
  });
  addRemove(hook, io, {
    verb: 'remove',
    description: 'Removes a webhook. What waits for it is not sent.',
    prefix: 'hook',
    noun: 'webhook',
    async remove({ sql, team }, id) {
      const isKnown = (await listHooks(sql, team.id)).some((known) => known.id === id);
      if (isKnown) await removeHook(sql, team.id, id);
      return isKnown;
    },
  });
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
          text: `${showSecret(added)}\nTo try it, press Send a test on the page Webhooks: ${command} console --team ${options.team}`,
        };
      }),
    );
}

/** Describes the secret of a new hook. Slack checks no signature, so its hooks do not show one. */
const showSecret = ({ format, secret }: Hook) =>
  format === 'slack'
    ? 'Added. Slack needs no secret.'
    : `${secret}\nCopy it now: it is not shown again. The receiver checks the signatures with it.`;

/** Lists the hooks in the form that `--json` prints, with the number of waiting deliveries of each. */
async function readHooks({ sql, team }: TeamContext) {
  const pending = await countPending(sql, team.id);
  return (await listHooks(sql, team.id)).map((each) => ({
    ...show(each),
    isEnabled: each.disabledAt === null,
    createdAt: each.createdAt,
    failingSince: each.failingSince,
    disabledAt: each.disabledAt,
    disabledReason: each.disabledReason,
    pending: pending.find(({ hookId }) => hookId === each.id)?.deliveries ?? 0,
  }));
}

function show({ id, url, events, isTest, format, allowsPrivate }: Omit<ListedHook, keyof Disabled>) {
  return { id: encodeId('hook', id), url, events, isTest, format, allowsPrivate };
}

/** Fields that a new hook does not have. */
type Disabled = Pick<ListedHook, 'createdAt' | 'failingSince' | 'disabledAt' | 'disabledReason'>;

function stateOf({ disabledAt, disabledReason, failingSince }: Omit<Disabled, 'createdAt'>): string {
  if (disabledAt)
    return `off since ${disabledAt.toISOString()}${disabledReason ? `: ${disabledReason}` : ''}`;
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
}
