import type { HttpBindings } from '@hono/node-server';
import type { Uuid } from '../ids.js';

/** What travels with a request from middleware to route to log line. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Headers of the answer, collected on the way and sent by `reply`. */
    headers: Record<string, string>;
    /** The key that `requireKey` accepted: the hash of it, and the team it speaks for. */
    key: { teamId: Uuid; keyHash: string };
    /** For the log line: the team, as far as it is known. */
    team?: string;
    /** For the log line: the SDK's version, if a page's report has one. */
    sdkVersion?: string;
    /** For the log line: an error code, or what became of an order. */
    outcome?: string;
  };
}
