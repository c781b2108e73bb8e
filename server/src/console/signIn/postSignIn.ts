import type { Handler, MiddlewareHandler } from 'hono';
import { inTransaction } from '../../database/inTransaction.js';
import { clientAddress, clientBucket } from '../../http/clientAddress.js';
import { createRateLimiter } from '../../http/rateLimiter.js';
import { type HeldToken, newAccessToken, type ReadToken, readAccessToken } from '../../teams/accessTokens.js';
import { type LinkOutcome, redeemConsoleLink, removeConsoleSession } from '../../teams/sql/consoleSession.js';
import { ApiError } from '../../values/errors.js';
import { encodeId, newUuid } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';
import { ofStrangers, tooManyPages } from '../ask.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { nextTeamPath } from './requireSession.js';
import { readSessionCookie, sessionsHeldAtMost, setSessionCookie } from './sessionCookie.js';
import { renderSignIn } from './signIn.js';

/** Nobody guesses 256 bits; this keeps those who try from asking the database. */
const attemptsPerMinute = 20;
/** The page for a browser that may do more than its link allows. */
const keptRightPath = '/console?kept=1';
/** One at a time, whatever the number of addresses, so that attempts leave a connection to the console's pages. */
const attempts = { concurrent: 1, waiting: 100, message: tooManyPages };

/** `GET /console/sign-in`: takes the token out of the link's fragment by script, or by hand. */
export function getSignIn(): Handler<ConsoleEnv> {
  return (c) => renderSignIn(c, null);
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
 * browser's session of the same team. Sessions of other teams stay; of more than eight the one that was used longest ago
 * ends. A used link leads a browser that is signed in to its team to that team. A link for looking only takes no right from a
 * browser that may change the team: it stays unused.
 */
export function postSignIn(deps: ConsoleDeps): Handler<ConsoleEnv> {
  const { run } = createSemaphore(attempts);

  function redeem(sent: ReadToken, session: HeldToken, ended: readonly HeldToken[]): Promise<LinkOutcome> {
    return run(() =>
      deps.ask(ofStrangers, (sql) =>
        inTransaction(sql, async (tx) => {
          const { hash, isReadOnly } = session;
          const outcome = await redeemConsoleLink(tx, sent.teamId, sent.hash, {
            id: newUuid(),
            hash,
            isReadOnly,
          });
          if (outcome !== 'redeemed') return outcome;
          for (const { teamId, hash } of ended) await removeConsoleSession(tx, teamId, hash);
          return outcome;
        }),
      ),
    );
  }

  return async function postSignIn(c) {
    // Somebody may paste the whole link.
    const sent = readAccessToken(c.var.form.token?.trim().split('#').at(-1) ?? '');
    if (!sent) return refuse(c, 'incomplete');
    const held = readSessionCookie(c, deps);
    const others = held.filter(({ teamId }) => teamId !== sent.teamId);
    const kept = others.slice(0, sessionsHeldAtMost - 1);
    const session = newAccessToken(sent.teamId, sent.isReadOnly);
    const former = held.find(({ teamId }) => teamId === sent.teamId);
    const isFormerLive = async () =>
      former !== undefined && Boolean((await deps.findSessions([former], c.env.incoming))[0]);
    const isLess = sent.isReadOnly && former?.isReadOnly === false && (await isFormerLive());
    const ended = held.filter((token) => !kept.includes(token));
    const outcome = isLess ? 'used' : await redeem(sent, session, ended);
    const isSignedIn = isLess || (outcome === 'used' && (await isFormerLive()));
    if (outcome !== 'redeemed' && !isSignedIn) return refuse(c, outcome);
    setSessionCookie(c, deps, [isSignedIn ? former! : session, ...kept]);
    c.set('team', encodeId('team', sent.teamId));
    return c.redirect(c.var.base + (isLess ? keptRightPath : '/console'), 303);
  };
}

/** `POST /console/sign-out`: ends this session, and goes on to the browser's next one. */
export function postSignOut(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSignOut(c) {
    const { teamId, hash } = c.var.session;
    await deps.ask(teamId, (sql) => removeConsoleSession(sql, teamId, hash));
    const others = c.var.held.slice(1);
    setSessionCookie(c, deps, others);
    return c.redirect(c.var.base + (others.length > 0 ? nextTeamPath : '/console/sign-in'), 303);
  };
}

function refuse(c: ConsoleContext, reason: Parameters<typeof renderSignIn>[1]): Promise<Response> {
  c.set('outcome', 'sign_in_refused');
  c.status(403);
  return renderSignIn(c, reason);
}

function clientOf(c: ConsoleContext, { trustedProxies }: ConsoleDeps): string {
  const socketAddress = c.env.incoming.socket.remoteAddress ?? '';
  return clientBucket(clientAddress(socketAddress, c.req.header('x-forwarded-for'), trustedProxies));
}
