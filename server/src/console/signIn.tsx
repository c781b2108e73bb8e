import type { Handler } from 'hono';
import { inTransaction } from '../database/inTransaction.js';
import { clientAddress, clientBucket } from '../http/clientAddress.js';
import { createRateLimiter } from '../http/rateLimiter.js';
import { newAccessToken, readAccessToken } from '../teams/accessTokens.js';
import { redeemConsoleLink, removeConsoleSession } from '../teams/sql/consoleSession.js';
import { ApiError } from '../values/errors.js';
import { encodeId, newUuid } from '../values/ids.js';
import { basePath, type ConsoleContext, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { sessionMs, setSessionCookie } from './cookies.js';
import { Document } from './layout.js';
import { readForm, readSessionForm } from './readForm.js';
import { redirect, replyPage } from './replyPage.js';

/** Nobody guesses 256 bits; this keeps those who try from asking the database. */
const attemptsPerMinute = 20;

/** `GET /console/sign-in`: takes the token out of the link's fragment by script, or by hand. */
export function getSignIn({ publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return function getSignIn(c) {
    return replyPage(c, 200, <SignInPage base={basePath(publicUrl())} />);
  };
}

/** `POST /console/sign-in`: exchanges the token of a link, once, for a session in a cookie. */
export function postSignIn(deps: ConsoleDeps): Handler<ConsoleEnv> {
  const countAttempt = createRateLimiter(attemptsPerMinute);

  return async function postSignIn(c) {
    const base = basePath(deps.publicUrl());
    const { isAllowed, retryAfterMs } = countAttempt(clientOf(c, deps));
    if (!isAllowed) {
      const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
      throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
    }
    const form = await readForm(c, deps);
    // Somebody may paste the whole link.
    const sent = readAccessToken(form.get('token')?.trim().split('#').at(-1) ?? '');
    const now = new Date();
    const session = sent && newAccessToken(sent.teamId);
    const isGood =
      session !== null &&
      (await deps.ask((sql) =>
        inTransaction(sql, (tx) =>
          redeemConsoleLink(tx, sent!.teamId, sent!.hash, {
            id: newUuid(),
            hash: session.hash,
            now,
            expiresAt: new Date(now.getTime() + sessionMs),
          }),
        ),
      ));
    if (!isGood) {
      c.set('outcome', 'sign_in_refused');
      return replyPage(c, 403, <SignInPage base={base} isRefused />);
    }
    setSessionCookie(c, deps, session.token);
    c.set('team', encodeId('team', session.teamId));
    return redirect(c, `${base}/console`);
  };
}

/** `POST /console/sign-out`: ends this session. */
export function postSignOut(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSignOut(c) {
    await readSessionForm(c, deps);
    const { teamId, hash } = c.get('session');
    await deps.ask((sql) => removeConsoleSession(sql, teamId, hash));
    setSessionCookie(c, deps, null);
    return redirect(c, `${basePath(deps.publicUrl())}/console/sign-in`);
  };
}

function clientOf(c: ConsoleContext, { trustedProxies }: ConsoleDeps): string {
  const socketAddress = c.env.incoming.socket.remoteAddress ?? '';
  return clientBucket(clientAddress(socketAddress, c.req.header('x-forwarded-for'), trustedProxies));
}

function SignInPage({ base, isRefused = false }: { base: string; isRefused?: boolean }) {
  return (
    <Document title="Sign in" base={base} scripts={['signIn.js']}>
      <main class="container narrow">
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
      </main>
    </Document>
  );
}
