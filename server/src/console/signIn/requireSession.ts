import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { sumWaiting } from '../../refused/sql/listRefused.js';
import { extendConsoleSession } from '../../teams/sql/consoleSession.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { formsOfLookers } from '../parts/form.js';
import { readSessionCookie, setSessionCookie } from './sessionCookie.js';

/** The page after the end of a session, in a browser that has a session of another team. */
export const nextTeamPath = '/console?left=1';

/**
 * Lets signed-in browsers through, with their session in `c.var.session`, and sends others to the sign-in page. Sessions
 * that have ended are dropped from the cookie. If the current one has, the next one takes its place, and the browser is sent
 * to the overview: what it asked for was of another team.
 * @throws ApiError `domain_not_allowed` when a browser that may look only posts a form that changes something
 */
export function requireSession(deps: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  return async function requireSession(c, next) {
    const sent = readSessionCookie(c, deps);
    const sessions = sent.length === 0 ? [] : await deps.findSessions(sent, c.env.incoming);
    const live = sent.flatMap((token, at) => {
      const found = sessions[at];
      return found ? [{ token, found }] : [];
    });
    const held = live.map(({ token }) => token);
    const [current, ...others] = live;
    if (!current) return c.redirect(`${c.var.base}/console/sign-in`, 303);
    const { token, found } = current;
    if (found.isToBeExtended)
      await deps.ask(token.teamId, (sql) => extendConsoleSession(sql, token.teamId, token.hash));
    if (found.isToBeExtended || held.length < sent.length) setSessionCookie(c, deps, held);
    if (token !== sent[0]) return c.redirect(c.var.base + nextTeamPath, 303);
    c.set('held', held);
    c.set('session', {
      teamId: token.teamId,
      hash: token.hash,
      isReadOnly: token.isReadOnly,
      teamName: found.teamName,
      isDemo: found.isDemo,
      formToken: hash('sha256', `form ${token.token}`, 'base64url'),
      otherTeams: others.map(({ found }) => ({ id: found.teamId, name: found.teamName })),
    });
    c.set('sumRefused', () => deps.ask(token.teamId, (sql) => sumWaiting(sql, token.teamId)));
    const isForm = formsOfLookers.some((path) => c.req.path.endsWith(path));
    if (token.isReadOnly && c.req.method === 'POST' && !isForm) {
      throw new ApiError('domain_not_allowed', {
        message: 'This browser may look only. Ask for another link.',
      });
    }
    c.set('team', encodeId('team', token.teamId));
    return next();
  };
}
