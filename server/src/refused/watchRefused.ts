import type { BegunRefusals } from '@orderbeacon/sdk/contract';
import { readTime } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import { findEntries } from '../teams/sql/domain.js';
import { findTeam } from '../teams/sql/team.js';
import type { Uuid } from '../values/ids.js';
import { dayMs, startOfUtcDay } from '../values/timeUnits.js';
import { type BegunSubject, findBegun } from './findBegun.js';
import { describeRefusedKind, type RefusedWords } from './refusedWords.js';
import {
  addToldRefusals,
  listRecentRefusals,
  listToldRefusals,
  type ToldRefusal,
} from './sql/toldRefusal.js';

/** A host or field that was refused in these days before does not begin to be. */
const daysBefore = 7;
/** Hosts of a team, and fields, that are told one by one in a day: anyone can make up hosts. */
const toldADay = 10;

/**
 * The rule of `refused.began`: tells each host, and each field and reason, that is refused today or yesterday and was not in
 * the 7 days before. Each is told once, in a transaction that is the only one of the team. Past ten hosts a day, or ten
 * fields, one more event says that there are more.
 */
export async function watchRefused(
  tx: Sql,
  { teamId, now }: { teamId: Uuid; now: Date },
): Promise<BegunRefusals[]> {
  const today = startOfUtcDay(now);
  const { fresh, told, domains } = await findUntold(tx, teamId, today);
  if (fresh.length === 0) return [];
  const { single, more } = divide(
    fresh,
    told.filter(({ toldAt }) => toldAt >= today),
  );
  await addToldRefusals(
    tx,
    teamId,
    [...fresh, ...more].map(({ kind, name }) => ({ kind, name, toldAt: now })),
  );
  const { name: teamName, requiresSignature } = (await findTeam(tx, teamId))!;
  return [
    ...single.map(({ most, reports }) => ({
      teamName,
      reason: most.reason,
      host: most.host || null,
      field: most.field || null,
      reports,
      message: tellBegun(describeRefusedKind(most, domains, requiresSignature), reports),
    })),
    ...more.map(({ name, reports }) => ({
      teamName,
      reason: null,
      host: null,
      field: null,
      reports,
      message: `Reports of more ${name}s begin to be refused today than are told one by one. The console shows all under Refused.`,
    })),
  ];
}

/**
 * Marks what is refused at present as told, for a team whose first hook of `refused.began` is added: it is told of what begins
 * from now on.
 */
export async function skipBegunRefusals(tx: Sql, teamId: Uuid): Promise<void> {
  const today = startOfUtcDay(new Date(await readTime(tx)));
  const { fresh } = await findUntold(tx, teamId, today);
  // As told yesterday, so that they take nothing from the numbers of today.
  const toldAt = new Date(today.getTime() - dayMs);
  await addToldRefusals(
    tx,
    teamId,
    fresh.map(({ kind, name }) => ({ kind, name, toldAt })),
  );
}

/** Finds what has begun to be refused today or yesterday and was not told, what was told, and the team's domains. */
async function findUntold(tx: Sql, teamId: Uuid, today: Date) {
  // Yesterday too, because its last refusals may be counted, or seen, after midnight.
  const day = new Date(today.getTime() - dayMs);
  const rows = await listRecentRefusals(tx, teamId, { day, daysBefore });
  const domains: ReadonlySet<string> = rows.length > 0 ? await findEntries(tx, teamId) : new Set();
  const begun = findBegun(rows, domains);
  if (begun.length === 0) return { fresh: [], told: [], domains };
  const told = await listToldRefusals(tx, teamId, new Date(today.getTime() - (daysBefore + 1) * dayMs));
  const isTold = (one: BegunSubject) => told.some(({ kind, name }) => kind === one.kind && name === one.name);
  return { fresh: begun.filter((one) => !isTold(one)), told, domains };
}

/** Divides what has begun into what is told one by one, and the kinds of which there is more. */
function divide(fresh: readonly BegunSubject[], toldToday: readonly ToldRefusal[]) {
  const kinds = (['field', 'host'] as const).map((kind) => {
    const ofKind = fresh.filter((one) => one.kind === kind);
    const left = Math.max(0, toldADay - toldToday.filter((one) => one.kind === kind).length);
    const rest = ofKind.slice(left);
    const isSaid = toldToday.some((one) => one.kind === 'more' && one.name === kind);
    const reports = rest.reduce((sum, one) => sum + one.reports, 0);
    const more = rest.length > 0 && !isSaid ? [{ kind: 'more' as const, name: kind, reports }] : [];
    return { single: ofKind.slice(0, left), more };
  });
  return { single: kinds.flatMap(({ single }) => single), more: kinds.flatMap(({ more }) => more) };
}

function tellBegun({ why, advice }: RefusedWords, reports: number): string {
  const soFar = `${reports} ${reports === 1 ? 'report' : 'reports'} so far`;
  return `Reports begin to be refused: ${why}. ${soFar}. In the console, under Refused: ${advice}`;
}
