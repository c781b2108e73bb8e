import type { Sql } from '../../database/connection/connect.js';
import { listHooks } from '../../hooks/sql/hook.js';
import { type Check, command, fail, pass } from '../../site/checks/check.js';
import { encodeId, type Uuid } from '../../values/ids.js';

/** Checks that no webhook of a team fails, or was switched off for its failures. No check where the team has none. */
export async function checkHooks(
  sql: Sql,
  { uuid, teamId }: { uuid: Uuid; teamId: string },
): Promise<Check[]> {
  const hooks = await listHooks(sql, uuid);
  if (hooks.length === 0) return [];
  const bad = hooks.filter(({ disabledAt, disabledReason, failingSince }) =>
    disabledAt === null ? failingSince !== null : disabledReason !== null,
  );
  const off = hooks.filter(({ disabledAt }) => disabledAt !== null).length;
  const count = `${hooks.length} ${hooks.length === 1 ? 'webhook' : 'webhooks'}, ${off} switched off`;
  if (bad.length === 0) return [pass('webhooks', `${count}, none that fails.`)];
  const problems = bad.map(({ id, disabledReason, failingSince }) => {
    const state =
      disabledReason === null
        ? `fails since ${failingSince!.toISOString()}`
        : `was switched off: ${disabledReason}`;
    return `${encodeId('hook', id)} ${state}`;
  });
  return [
    fail(
      'webhooks',
      `${count}. ${problems.join('; ')}.`.replace('..', '.'),
      `Open the page Webhooks, press Send a test, and switch it on when it works: ${command} console --team ${teamId}`,
    ),
  ];
}
