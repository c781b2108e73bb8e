import type { HttpBindings } from '@hono/node-server';

/** Context of every request that Hono answers. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Headers of the answer, collected on the way and sent by `reply`. */
    headers: Record<string, string>;
    /** Team, for the log line. */
    team?: string;
    /** Error code or other outcome, for the log line and the metrics. */
    outcome?: string;
  };
}
