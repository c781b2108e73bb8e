import type { Command } from 'commander';
import { hookBody, hookRequest, testEvent } from '../hooks/hookBody.js';
import { sendHook } from '../hooks/send.js';
import { encodeId, newUuid } from '../values/ids.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { teamSubcommand, withTeam } from './command.js';
import type { CommandIo } from './io.js';
import { requireHook } from './requireHook.js';

/** `orderbeacon hook test` */
export function addHookTest(hook: Command, io: CommandIo): void {
  teamSubcommand(
    hook,
    'test',
    'Sends a signed event of the type hook.test from this machine, and prints the answer. The exit code is 1 when it fails.',
    'hook test --team team_… hook_…',
  )
    .argument('<hook-id>', 'its id, from hook list')
    .action(
      withTeam(io, async ({ sql, team }, options, text) => {
        const found = await requireHook(sql, team.id, { text: text!, team: options.team });
        const now = new Date();
        const delivery = { id: newUuid(), type: testEvent.type, createdAt: now };
        const body = hookBody(found, delivery, testEvent.data);
        const { status, error, answer, tookMs } = await sendHook(
          hookRequest(found, delivery, body, now.getTime()),
        );
        if (error !== null) io.exitCode = 1;
        const outcome = error === null ? `Delivered: answered ${status}.` : `Failed: ${error}`;
        const lines = [`${outcome} It took ${tookMs} ms.`, ...(answer?.split(/\r?\n/) ?? [])];
        return {
          json: { id: text, webhookId: encodeId('msg', delivery.id), status, error, answer, tookMs },
          text: lines.map(sanitizeForTerminal).join('\n'),
        };
      }),
    );
}
