import type { Handler, MiddlewareHandler } from 'hono';
import { inTransaction } from '../database/inTransaction.js';
import { clientAddress, clientBucket } from '../http/clientAddress.js';
import { createRateLimiter } from '../http/rateLimiter.js';
import { newAccessToken, type ReadToken, readAccessToken } from '../teams/accessTokens.js';
import { redeemConsoleLink, removeConsoleSession } from '../teams/sql/consoleSession.js';
import { ApiError } from '../values/errors.js';
import { encodeId, newUuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';
import { tooManyPages } from './ask.js';
import { type ConsoleContext, type ConsoleDeps, type ConsoleEnv, useConsole } from './context.js';
import { renderPage } from './layout.js';
import { deleteSessionCookie, getSessionCookie, setSessionCookie } from './sessionCookie.js';

/** Nobody guesses 256 bits; this keeps those who try from asking the database. */
const attemptsPerMinute = 20;
/** One at a time, whatever the number of addresses, so that attempts leave a connection to the console's pages. */
const attempts = { concurrent: 1, waiting: 100, message: tooManyPages };

/** `GET /console/sign-in`: takes the token out of the link's fragment by script, or by hand. */
export function getSignIn(): Handler<ConsoleEnv> {
  return (c) => renderSignIn(c, false);
}

/**
 * Limits the attempts of an address to sign in.
 * @throws ApiError `rate_limited`
 */
export function limitAttempts(deps: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  const countAttempt = createRateLimiter(attemptsPerMinute);

  return async function limitAttempts(c, next) {
    const { isAllowed, retryAfterMs } = countAttempt(clientOf(c, deps));
    if (!isAllowed) {
      const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
      throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
    }
    return next();
  };
}

/**
 * `POST /console/sign-in`: exchanges the token of a link, once, for a session in a cookie. It takes the place of the
 * session that the browser had.
 */
export function postSignIn(deps: ConsoleDeps): Handler<ConsoleEnv> {
  const { run } = createSemaphore(attempts);

  async function redeem(sent: ReadToken, former: ReadToken | null) {
    const session = newAccessToken(sent.teamId);
    const isGood = await run(() =>
      deps.ask((sql) =>
        inTransaction(sql, async (tx) => {
          const { hash } = session;
          const isRedeemed = await redeemConsoleLink(tx, sent.teamId, sent.hash, { id: newUuid(), hash });
          if (isRedeemed && former) await removeConsoleSession(tx, former.teamId, former.hash);
          return isRedeemed;
        }),
      ),
    );
    return isGood ? session : null;
  }

  return async function postSignIn(c) {
    // Somebody may paste the whole link.
    const sent = readAccessToken(c.var.form.token?.trim().split('#').at(-1) ?? '');
    const session = sent && (await redeem(sent, readAccessToken(getSessionCookie(c, deps) ?? '')));
    if (!session) {
      c.set('outcome', 'sign_in_refused');
      c.status(403);
      return renderSignIn(c, true);
    }
    setSessionCookie(c, deps, session.token);
    c.set('team', encodeId('team', session.teamId));
    return c.redirect(`${c.var.base}/console`, 303);
  };
}

/** `POST /console/sign-out`: ends this session. */
export function postSignOut(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSignOut(c) {
    const { teamId, hash } = c.var.session;
    await deps.ask((sql) => removeConsoleSession(sql, teamId, hash));
    deleteSessionCookie(c, deps);
    return c.redirect(`${c.var.base}/console/sign-in`, 303);
  };
}

function clientOf(c: ConsoleContext, { trustedProxies }: ConsoleDeps): string {
  const socketAddress = c.env.incoming.socket.remoteAddress ?? '';
  return clientBucket(clientAddress(socketAddress, c.req.header('x-forwarded-for'), trustedProxies));
}

function renderSignIn(c: ConsoleContext, isRefused: boolean): Response | Promise<Response> {
  return renderPage(c, <SignIn isRefused={isRefused} />, { title: 'Sign in', scripts: ['signIn.js'] });
}

function SignIn({ isRefused }: { isRefused: boolean }) {
  const { base } = useConsole();
  return (
    <>
      <h1>Orderbeacon</h1>
      {isRefused && (
        <p role="alert" class="notice bad">
          This link was used before, has expired, or is not complete. Make a new one with the command below.
        </p>
      )}
      <p>A link opens the console of one team, once. This command, on the server, prints one:</p>
      <pre tabindex={0}>
        <code>node_modules/.bin/orderbeacon console --team team_…</code>
      </pre>
      <form id="sign-in" method="post" action={`${base}/console/sign-in`}>
        <label for="token">Open the link, or paste it here</label>
        <input id="token" name="token" type="text" required autocomplete="off" spellcheck={false} />
        <button type="submit">Sign in</button>
      </form>
    </>
  );
}
