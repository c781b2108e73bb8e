import type { MiddlewareHandler } from 'hono';
import { ApiError, messageOf } from '../values/errors.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { Document } from './layout.js';
import { replyPage } from './replyPage.js';

/** Turns the JSON of a refusal or failure into a page that says the same. */
export function showErrors({ publicUrl }: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  return async function showErrors(c, next) {
    await next();
    if (c.res.headers.get('content-type') !== 'application/json') return;
    const { status } = c.res;
    const message = messageFor(c.error, status);
    const base = basePath(publicUrl());
    c.res = undefined;
    c.res = replyPage(
      c,
      status,
      <Document title="This did not work" base={base}>
        <main class="container narrow">
          <h1>This did not work</h1>
          <p>{message}</p>
          <p>
            <a href={`${base}/console`}>To the overview</a>
          </p>
          <p>
            <small>
              Request <code>{c.get('requestId')}</code>
            </small>
          </p>
        </main>
      </Document>,
    );
  };
}

function messageFor(error: Error | undefined, status: number): string {
  if (error instanceof ApiError) return error.message;
  if (error === undefined) return messageOf.not_found;
  return status === 503 ? messageOf.unavailable : messageOf.internal;
}
