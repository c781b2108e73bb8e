import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { AppEnv } from './context.js';

type Variables = AppEnv['Variables'];

/** One request on its way to its answer, as far as reports need it: Hono's context is one, `createExchange` makes one without Hono. */
export interface Exchange {
  env: HttpBindings;
  req: { header(name: string): string | undefined };
  get<Name extends keyof Variables>(name: Name): Variables[Name];
  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void;
}

/** Makes the exchange of a request that Node handed over. */
export function createExchange(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  // What is missing is undefined here as it is in Hono's context.
  const variables = {} as Variables;
  return {
    env: { incoming, outgoing },
    req: { header: (name) => incoming.headers[name] as string | undefined },
    get: (name) => variables[name],
    set(name, value) {
      variables[name] = value;
    },
  };
}
