import { createRateLimiter } from '../http/rateLimiter.js';
import { isAllowed } from '../teams/domains.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import { kindOf, senderOf } from './decideOutcomes.js';
import type { RefusedBounds, SenderKind } from './refusedBounds.js';
import type { RefusedReport } from './refusedReport.js';

/** Cache of the senders whose reports are not kept at present, so that a flood costs no statement per report. */
export interface FullSenders {
  isFull(teamId: Uuid, report: Pick<RefusedReport, 'keyHash' | 'host'>): boolean;
  /** Records that a host or key has no place left. */
  add(teamId: Uuid, sender: string): void;
  /**
   * Counts a report that would push out others. False past the limit; the senders of its kind are full then, until one
   * may push again.
   */
  mayPush(teamId: Uuid, kind: SenderKind, domains: ReadonlySet<string>): boolean;
}

/** Cached teams, hosts and keys; some 200 bytes each. */
const cached = 10_000;

/** Makes an empty cache. A host is told from an unknown one by the domains that the team had at the last look. */
export function createFullSenders({
  pushesPerMinute,
  rememberFullMs,
}: Pick<RefusedBounds, 'pushesPerMinute' | 'rememberFullMs'>): FullSenders {
  const untilMs = createBoundedMap<number>(cached);
  const domainsOf = createBoundedMap<ReadonlySet<string>>(cached);
  const countPush = createRateLimiter(pushesPerMinute);
  const isNow = (key: string) => (untilMs.get(key) ?? 0) > performance.now();

  return {
    isFull(teamId, report) {
      if (isNow(`${teamId} ${senderOf(report)}`)) return true;
      const domains = domainsOf.get(teamId);
      if (!domains) return false;
      const kind = kindOf({ ...report, isAllowed: isAllowed(report.host, domains) });
      return isNow(`${teamId} kind ${kind}`);
    },
    add: (teamId, sender) => untilMs.set(`${teamId} ${sender}`, performance.now() + rememberFullMs),
    mayPush(teamId, kind, domains) {
      const verdict = countPush(`${teamId} ${kind}`);
      if (verdict.isAllowed) return true;
      domainsOf.set(teamId, domains);
      untilMs.set(`${teamId} kind ${kind}`, performance.now() + verdict.retryAfterMs);
      return false;
    },
  };
}
