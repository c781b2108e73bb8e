import type { HttpBindings } from '@hono/node-server';

/** Context of every request that Hono answers. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Team, for the log line. */
    team?: string;
    /** Error code or other outcome, for the log line and the metrics. */
    outcome?: string;
  };
}
