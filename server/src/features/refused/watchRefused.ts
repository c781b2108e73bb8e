import type { BegunRefusals } from '@orderbeacon/sdk/contract';
import { isAllowed } from '../../core/teams/domains.js';
import { findEntries } from '../../core/teams/sql/domain.js';
import { findTeam } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs, startOfUtcDay } from '../../values/time.js';
import { describeRefusedKind, type RefusedKind } from './refusedWords.js';
import {
  addBegun,
  type BegunSubject,
  listBegun,
  listRecentRefusals,
  type RecentRefusals,
} from './sql/begunRefused.js';

/** A host or field that was refused in these days before does not begin to be. */
const daysBefore = 7;
/** Name of all hosts, and all fields, past those that are reported one by one. */
const others = '*';
/** Hosts of a team that are reported one by one of a day, and fields: anyone can make up hosts. */
const singleADay = 10;

/** A host, or a field and reason, that has begun to be refused. */
interface Begun extends BegunSubject {
  reports: number;
  /** The reason, host and field of most of the reports, and their number. */
  most: RefusedKind;
  mostReports: number;
}

/**
 * The rule of `refused.began`: reports each host, and each field and reason, once that has kept reports of today or yesterday
 * and none of the 7 days before. What was reported in these days is not reported again, because reports that were stored or
 * discarded are gone. Past ten hosts of a day, or ten fields, one more event says that there are more. The transaction is the
 * only one of the team.
 */
export async function watchRefused(
  tx: Sql,
  { teamId, now }: { teamId: Uuid; now: Date },
): Promise<BegunRefusals[]> {
  // Yesterday too, because its last refusals may be seen after midnight.
  const since = new Date(startOfUtcDay(now).getTime() - dayMs);
  const remembered = new Date(since.getTime() - daysBefore * dayMs);
  const rows = await listRecentRefusals(tx, teamId, remembered);
  if (rows.every(({ beganOn }) => beganOn < since)) return [];
  const domains = await findEntries(tx, teamId);
  const before = await listBegun(tx, teamId, remembered);
  const begun = findBegun(rows, domains).filter(({ beganOn }) => beganOn >= since);
  const fresh = addMore(begun, before);
  if (fresh.length === 0) return [];
  await addBegun(tx, teamId, fresh);
  const { name: teamName, requiresSignature } = (await findTeam(tx, teamId))!;
  return fresh.map(({ kind, name, reports, most }) => {
    if (name === others) {
      const message = `Reports of more ${kind}s begin to be refused today than are reported one by one. The console shows all under Refused.`;
      return { teamName, reason: null, host: null, field: null, reports, message };
    }
    const { why, advice } = describeRefusedKind(most, domains, requiresSignature);
    const soFar = `${reports} ${reports === 1 ? 'report' : 'reports'} so far`;
    const message = `Reports begin to be refused: ${why}. ${soFar}. In the console, under Refused: ${advice}`;
    return {
      teamName,
      reason: most.reason,
      host: most.host || null,
      field: most.field || null,
      reports,
      message,
    };
  });
}

/**
 * Groups refusals by host, and those of the team's own hosts and keys by reason and field, with the most reports first.
 * Refusals of a host that is not among the team's domains are that host's, so that a stranger cannot hide a field of the
 * team's own pages by sending it first.
 */
function findBegun(rows: readonly RecentRefusals[], domains: ReadonlySet<string>): Begun[] {
  const subjects = new Map<string, Begun>();
  for (const { beganOn, reports, ...most } of rows) {
    const isOwn = most.host === '' || isAllowed(most.host, domains);
    const kind = most.reason === 'domain_not_allowed' || !isOwn ? 'host' : 'field';
    const name = kind === 'host' ? most.host : `${most.reason} ${most.field}`;
    const before = subjects.get(`${kind} ${name}`) ?? {
      beganOn,
      kind,
      name,
      reports: 0,
      most,
      mostReports: 0,
    };
    subjects.set(`${kind} ${name}`, {
      ...before,
      beganOn: before.beganOn < beganOn ? before.beganOn : beganOn,
      reports: before.reports + reports,
      ...(reports > before.mostReports && { most, mostReports: reports }),
    });
  }
  return [...subjects.values()].sort((a, b) => b.reports - a.reports);
}

/** Selects the subjects that are to be reported, with one for all others of a day and kind. */
function addMore(begun: readonly Begun[], before: readonly BegunSubject[]): Begun[] {
  const groupOf = ({ beganOn, kind }: BegunSubject) => `${beganOn.getTime()} ${kind}`;
  const idOf = (one: BegunSubject) =>
    one.name === others ? `${groupOf(one)} ${others}` : `${one.kind} ${one.name}`;
  const reported = new Set(before.map(idOf));
  const fresh = new Map<string, Begun>();
  for (const one of begun.filter((subject) => !reported.has(idOf(subject)))) {
    const single = [...before, ...fresh.values()].filter((other) => groupOf(other) === groupOf(one));
    const added = single.length < singleADay ? one : { ...one, name: others };
    const more = fresh.get(idOf(added))?.reports ?? 0;
    if (!reported.has(idOf(added))) fresh.set(idOf(added), { ...added, reports: more + one.reports });
  }
  return [...fresh.values()];
}
