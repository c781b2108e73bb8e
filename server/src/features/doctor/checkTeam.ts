import { type Check, type CheckPart, fail, pass } from '../../commands/check.js';
import { displayDomain } from '../../core/teams/domains.js';
import { listKeys } from '../../core/teams/sql/apiKey.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import type { Sql } from '../../database/connection/connect.js';
import { command } from '../../values/command.js';
import type { Uuid } from '../../values/ids.js';

/** Checks that a team has API keys for backends, domains for pages, or other senders. */
export async function checkTeam(
  sql: Sql,
  { uuid, teamId }: { uuid: Uuid; teamId: string },
  parts: readonly CheckPart[],
): Promise<Check[]> {
  const keys = (await listKeys(sql, uuid)).filter(({ revokedAt }) => revokedAt === null);
  const domains = [...(await listDomains(sql, uuid))];
  const others: { isTest: boolean }[] = [];
  for (const { senders } of parts) others.push(...((await senders?.(sql, uuid)) ?? []));
  const live = {
    keys: keys.filter(({ mode }) => mode === 'live'),
    domains: domains.filter(({ isTest }) => !isTest),
    others: others.filter(({ isTest }) => !isTest),
  };
  const isAllTest = Object.values(live).every(({ length }) => length === 0);
  const names = domains.map(({ domain, isTest }) => displayDomain(domain) + (isTest ? ' (test)' : ''));
  return [checkKeys(), checkDomains()];

  function checkKeys(): Check {
    const message = `${live.keys.length} live, ${keys.length - live.keys.length} test; revoked ones do not count.`;
    if (keys.length > 0 || domains.length > 0 || others.length > 0) return pass('keys', message);
    return fail('keys', message, `For a backend: ${command} key create --team ${teamId}`);
  }

  function checkDomains(): Check {
    const message = names.length > 0 ? `Allowed: ${names.join(', ')}.` : 'None: no page may report an order.';
    if (!isAllTest) return pass('domains', message);
    const problem = names.length > 0 ? ' Every order of this team is a test.' : '';
    return fail('domains', message + problem, `${command} domain add --team ${teamId} shop.example`);
  }
}
