import type { Failure } from '@orderbeacon/sdk/contract';
import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { StatusCode } from 'hono/utils/http-status';
import { type ConsoleEnv, useConsole } from './context.js';
import { renderPage } from './parts/layout.js';

/** Turns the JSON of a refusal or failure into a page that says the same. */
export function showErrors(): MiddlewareHandler<ConsoleEnv> {
  return async function showErrors(c, next) {
    await next();
    if (c.res.headers.get('content-type') !== 'application/json') return;
    const { error } = (await c.res.json()) as Failure;
    c.status(c.res.status as StatusCode);
    // Whoever asks too often must not make the server draw pages.
    if (c.res.status === 429) {
      c.res = await c.html(
        html`<!doctype html><html lang="en"><title>Too many requests</title><p>${error.message}</p></html>`,
      );
      return;
    }
    c.res = await renderPage(c, <Problem message={error.message} />, { title: 'This did not work' });
  };
}

function Problem({ message }: { message: string }) {
  const { base, home, requestId } = useConsole();
  return (
    <>
      <h1>This did not work</h1>
      <p>{message}</p>
      <p>
        <a href={home ?? `${base}/console`}>To the overview</a>
      </p>
      <p>
        <small>
          Request <code>{requestId}</code>
        </small>
      </p>
    </>
  );
}
