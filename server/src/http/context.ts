import type { HttpBindings } from '@hono/node-server';
import type { Uuid } from '../values/ids.js';

/** What a log line says of a refusal, to find out why an order did not arrive. Never a value that somebody sent. */
export interface RefusalDetails {
  /** The page's host; null when a report without a key names none. */
  host?: string | null;
  /** Paths of the invalid fields; `*` stands for names that are not of the contract. */
  fields?: string[];
}

/** What travels with a request from middleware to route to log line. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Headers of the answer, collected on the way and sent by `reply`. */
    headers: Record<string, string>;
    /** The key that was accepted: the hash of it, and the team it speaks for. */
    key: { teamId: Uuid; keyHash: string };
    /** For the log line: the team, as far as it is known. */
    team?: string;
    /** For the log line: the SDK's version, if a page's report has one. */
    sdkVersion?: string;
    /** For the log line: an error code, or what became of an order. */
    outcome?: string;
    /** For the log line and the metrics: whether the stored order is a test, and who sent this report of it. */
    stored?: { mode: 'live' | 'test'; reportedBy: 'browser' | 'key' };
    /** The team that a report names, before anything of the report is checked. */
    claimedTeam?: unknown;
    /** The body of a report as it was sent, with its value; of one that is too long its first 64 KiB. */
    sent?: { text: string; body: unknown } | { part: Buffer };
    /** The team that a refused report is for; null for one that does not exist. Missing until it was looked for. */
    foundTeam?: Uuid | null;
    /** For the log line: what `describeRefusal` found out about a refusal. */
    refusal?: RefusalDetails;
  };
}
