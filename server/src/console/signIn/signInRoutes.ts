import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { inTransaction } from '../../database/inTransaction.js';
import { createRateLimiter } from '../../http/rateLimit.js';
import { ApiError } from '../../values/errors.js';
import { encodeId, newUuid } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';
import { newAccessToken, type ReadToken, readAccessToken } from '../access/consoleAccess.js';
import { redeemConsoleLink, removeConsoleSession } from '../access/consoleSession.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext, ConsoleEnv } from '../context.js';
import { limitForms, readForm } from '../forms.js';
import { setFlash } from '../parts/layout.js';
import { anonymous, tooManyPages } from '../turns.js';
import { nameBrowser } from './nameBrowser.js';
import { type FindSessions, type LiveSession, readSessionCookies, setSessionCookie } from './session.js';
import { renderSignIn, type SignInRefusal } from './signIn.js';

/** Attempts to sign in per minute. Nobody guesses 256 bits, but attempts must not load the database. */
const attemptsPerMinute = 20;
/** Attempts run one at a time, from all addresses together, so that they leave connections to the console's pages. */
const attempts = { concurrent: 1, waiting: 100, message: tooManyPages };
/** Name of a cookie that tests, before the link is used, if the browser keeps cookies. */
const probe = 'orderbeacon_probe';

/**
 * Routes of `GET` and `POST /console/sign-in`. They exchange the token of a link, once, for a session in a cookie. It replaces
 * the browser's session of the same team. If a link was used and the browser is signed in to its team, it leads to the team. If
 * a link is view-only and the browser may change the team, the link stays unused and the browser keeps its rights.
 */
export function signInRoutes({ inTurn }: ConsoleDeps, findSessions: FindSessions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  const countAttempt = createRateLimiter(attemptsPerMinute);
  const { run } = createSemaphore(attempts);

  app.get('/', (c) => {
    setCookie(c, probe, '1', { ...c.var.cookies, maxAge: 3600, httpOnly: true, sameSite: 'Strict' });
    return renderSignIn(c, null, c.req.query('to') ?? '');
  });

  app.use(async (c, next) => {
    const { isAllowed, retryAfterMs } = countAttempt(c.env.exchange.clientOf(c.env.incoming));
    if (isAllowed) return next();
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  });

  app.post('/', limitForms(), readForm(), async (c) => {
    const { token, to = '' } = c.var.form;
    // Somebody may paste the whole link.
    const sent = readAccessToken(token?.trim().split('#').at(-1) ?? '');
    if (!sent) return refuse(c, 'incomplete');
    if (getCookie(c, probe, c.var.cookies.prefix) === undefined) return refuse(c, 'noCookies');
    const held = readSessionCookies(c).filter(({ teamId }) => teamId === sent.teamId);
    const [former] = await findSessions(held, c.env.incoming);
    const team = encodeId('team', sent.teamId);
    c.env.exchange.facts.team = team;
    c.set('home', `${c.var.base}/console/${team}`);
    if (former && !former.isReadOnly && sent.isReadOnly) {
      setFlash(c, {
        words:
          'The link that you opened is view only, and you may change everything here already. So it was not used, and works for a colleague as before. To try it, open it in a private window.',
      });
      return c.redirect(c.var.home, 303);
    }
    const session = newAccessToken(sent.teamId, sent.isReadOnly);
    const browser = nameBrowser(c.req.header('user-agent') ?? '');
    const outcome = await redeem(sent, session, former, browser);
    if (outcome === 'redeemed') setSessionCookie(c, session);
    else if (outcome !== 'used' || !former) return refuse(c, outcome);
    const isBelow = ['/', '?'].some((sign) => to.startsWith(`/console/${team}${sign}`));
    const isOfTeam = isBelow && !/[\\\p{Cc}]/u.test(to);
    return c.redirect(isOfTeam ? c.var.base + to : c.var.home, 303);
  });
  return app;

  function redeem(
    sent: ReadToken,
    { hash, isReadOnly }: ReadToken,
    former: LiveSession | undefined,
    browser: string | null,
  ) {
    return run(() =>
      inTurn(anonymous, (sql) =>
        inTransaction(sql, async (tx) => {
          const session = { id: newUuid(), hash, isReadOnly, browser };
          const outcome = await redeemConsoleLink(tx, sent.teamId, sent.hash, session);
          if (outcome === 'redeemed' && former) await removeConsoleSession(tx, sent.teamId, former.hash);
          return outcome;
        }),
      ),
    );
  }

  function refuse(c: ConsoleContext, reason: SignInRefusal): Promise<Response> {
    c.env.exchange.facts.outcome = 'sign_in_refused';
    c.status(403);
    return renderSignIn(c, reason, c.var.form.to ?? '');
  }
}
