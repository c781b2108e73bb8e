import type { BegunRefusals } from '@orderbeacon/sdk/contract';
import { isAllowed } from '../../core/teams/domains.js';
import { findEntries } from '../../core/teams/sql/domain.js';
import { findTeam } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs, hourMs, startOfUtcDay } from '../../values/time.js';
import { describeRefusedKind, type RefusedKind } from './refusedWords.js';
import {
  addBegun,
  type BegunSubject,
  listBegun,
  listRecentRefusals,
  type RecentRefusals,
} from './sql/begunRefused.js';

/** Days in which a host or field must not have been refused, to count as beginning. */
const daysBefore = 7;
/** Name that stands for all further hosts of a day. */
const others = '*';
/** Hosts of a team with a separate event on one day at most: anyone can make up hosts. */
const singleADay = 10;
/** Name of the team's own pages as a sender. Their hosts are not separated, because anyone can send any of them. */
const ownPages = 'pages';

/** A host, or a reason and field, that has begun to be refused. */
interface Begun extends BegunSubject {
  /** Sender of most of the reports: an API key's hash, or the team's own pages. Only used for a field. */
  sender: string;
  reports: number;
  /** Reason, host and field of most of the reports, and the number of these. */
  most: RefusedKind;
  mostReports: number;
}

/**
 * The rule of `refused.began`: finds the hosts, and the reasons with fields, that have begun to be refused.
 *
 * One has begun if it has kept reports of today or yesterday, and none of the 7 days before. It is reported once in
 * these days, even if its reports were stored or discarded. After ten hosts of a day, one more event stands for all
 * others. The fields of a sender share one event an hour, because a new integration may send many wrong fields. This
 * transaction must be the only one of the team.
 */
export async function watchRefused(
  tx: Sql,
  { teamId, now }: { teamId: Uuid; now: Date },
): Promise<BegunRefusals[]> {
  // Includes yesterday, because its last refusals may be found after midnight.
  const since = new Date(startOfUtcDay(now).getTime() - dayMs);
  const remembered = new Date(since.getTime() - daysBefore * dayMs);
  const rows = await listRecentRefusals(tx, teamId, remembered);
  if (rows.every(({ beganOn }) => beganOn < since)) return [];
  const domains = await findEntries(tx, teamId);
  const before = await listBegun(tx, teamId, remembered);
  const begun = findBegun(rows, domains).filter(({ beganOn }) => beganOn >= since);
  const hosts = addMore(ofKind('host', begun), before);
  const fields = joinSenders(ofKind('field', begun), before, now);
  if (hosts.length + fields.length === 0) return [];
  const senders = fields.map(([{ sender }]) => ({ kind: 'sender' as const, name: sender, beganOn: now }));
  await addBegun(tx, teamId, [...hosts, ...fields.flat(), ...senders]);
  const { name: teamName, requiresSignature } = (await findTeam(tx, teamId))!;
  return [...hosts.map((host) => [host] as const), ...fields].map(([{ name, most, reports }, ...joined]) => {
    if (name === others) {
      const message =
        'Reports of more hosts begin to be refused today than are reported one by one. The console shows all under Refused.';
      return { teamName, reason: null, host: null, field: null, reports, message };
    }
    const { why, advice } = describeRefusedKind(most, domains, requiresSignature);
    const more = joined.reduce((sum, other) => sum + other.reports, 0);
    const soFar = `${reports} ${reports === 1 ? 'report' : 'reports'} so far`;
    const beside = more === 0 ? '' : `, and ${more} for other reasons`;
    const message = `Reports begin to be refused: ${why}. ${soFar}${beside}. In the console, under Refused: ${advice}`;
    return {
      teamName,
      reason: most.reason,
      host: most.host || null,
      field: most.field || null,
      reports: reports + more,
      message,
    };
  });
}

const ofKind = (kind: BegunSubject['kind'], begun: readonly Begun[]) =>
  begun.filter((one) => one.kind === kind);

/**
 * Groups refusals by host, and those of the team's own hosts and keys by reason and field. The group with the most
 * reports is first. Refusals of a host that is not among the team's domains are grouped by host. So a stranger cannot
 * hide a field of the team's own pages by sending it first.
 */
function findBegun(rows: readonly RecentRefusals[], domains: ReadonlySet<string>): Begun[] {
  const subjects = new Map<string, Begun>();
  for (const { beganOn, reports, keyHash, ...most } of rows) {
    const isOwn = most.host === '' || isAllowed(most.host, domains);
    const kind = most.reason === 'domain_not_allowed' || !isOwn ? 'host' : 'field';
    const name = kind === 'host' ? most.host : `${most.reason} ${most.field}`;
    const sender = keyHash ?? ownPages;
    const before = subjects.get(`${kind} ${name}`) ?? {
      beganOn,
      kind,
      name,
      sender,
      reports: 0,
      most,
      mostReports: 0,
    };
    subjects.set(`${kind} ${name}`, {
      ...before,
      beganOn: before.beganOn < beganOn ? before.beganOn : beganOn,
      reports: before.reports + reports,
      ...(reports > before.mostReports && { sender, most, mostReports: reports }),
    });
  }
  return [...subjects.values()].sort((a, b) => b.reports - a.reports);
}

/** Selects the hosts that are to be reported. Beyond ten hosts of a day, one entry stands for all further ones. */
function addMore(begun: readonly Begun[], before: readonly BegunSubject[]): Begun[] {
  const idOf = ({ name, beganOn }: BegunSubject) =>
    name === others ? `${others} ${beganOn.getTime()}` : name;
  const known = before.filter(({ kind }) => kind === 'host');
  const reported = new Set(known.map(idOf));
  const fresh = new Map<string, Begun>();
  for (const one of begun.filter((host) => !reported.has(idOf(host)))) {
    const single = [...known, ...fresh.values()].filter(
      ({ beganOn }) => beganOn.getTime() === one.beganOn.getTime(),
    );
    const added = single.length < singleADay ? one : { ...one, name: others };
    const more = fresh.get(idOf(added))?.reports ?? 0;
    if (!reported.has(idOf(added))) fresh.set(idOf(added), { ...added, reports: more + one.reports });
  }
  return [...fresh.values()];
}

/**
 * Groups the fields that are to be reported by their sender. Leaves out the fields of a sender that had an event within the last
 * hour, so that they wait.
 */
function joinSenders(
  begun: readonly Begun[],
  before: readonly BegunSubject[],
  now: Date,
): [Begun, ...Begun[]][] {
  const reported = new Set(before.filter(({ kind }) => kind === 'field').map(({ name }) => name));
  const recent = before.filter(
    ({ kind, beganOn }) => kind === 'sender' && now.getTime() - beganOn.getTime() < hourMs,
  );
  const waiting = new Set(recent.map(({ name }) => name));
  const senders = new Map<string, [Begun, ...Begun[]]>();
  for (const field of begun) {
    if (reported.has(field.name) || waiting.has(field.sender)) continue;
    const others = senders.get(field.sender);
    if (others) others.push(field);
    else senders.set(field.sender, [field]);
  }
  return [...senders.values()];
}
