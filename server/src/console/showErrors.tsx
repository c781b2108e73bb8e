import type { ErrorHandler, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { type Refuse, toRefusal } from '../http/refuse.js';
import { messageOf } from '../values/errors.js';
import { type ConsoleContext, type ConsoleEnv, useConsole } from './context.js';
import { renderPage } from './parts/layout.js';

/** Shows a refusal or a failure as a page. */
export function showErrors(refuse: Refuse): ErrorHandler<ConsoleEnv> {
  return function showError(thrown, c) {
    const refusal = toRefusal(thrown);
    const { error } = refuse(c.env.exchange, refusal);
    c.status(refusal.status);
    // A client that asks too often must not make the server render pages.
    if (refusal.status === 429)
      return c.html(
        html`<!doctype html><html lang="en"><title>Too many requests</title><p>${error.message}</p></html>`,
      );
    return renderProblem(c, error.message);
  };
}

/** Shows a page if no route has answered. Hono would leave that to the whole app, which answers in JSON. */
export const showNotFound: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 404 || c.error) return;
  c.status(404);
  c.res = await renderProblem(c, messageOf.not_found);
};

function renderProblem(c: ConsoleContext, message: string): Promise<Response> {
  const problem = <Problem message={message} requestId={c.env.exchange.requestId} />;
  return renderPage(c, problem, { title: 'This did not work' });
}

function Problem({ message, requestId }: { message: string; requestId: string }) {
  const { base, home } = useConsole();
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
