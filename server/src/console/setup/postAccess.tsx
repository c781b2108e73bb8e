import type { Handler } from 'hono';
import { makeConsoleLink } from '../../teams/consoleLink.js';
import { revokeConsoleSessions } from '../../teams/sql/consoleSession.js';
import { decodeId } from '../../values/ids.js';
import { dayMs } from '../../values/timeUnits.js';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { Time } from '../parts/elements.js';
import { showOnce } from './showOnce.js';

const linkMs = 2 * dayMs;

/** `POST /console/links`: makes a link for a colleague, and shows it once. */
export function postConsoleLink({ ask, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postConsoleLink(c) {
    const { teamId } = c.var.session;
    // A form without the field gives the lesser right.
    const isReadOnly = c.var.form.may !== 'all';
    const { url, expiresAt } = await ask(teamId, (sql) =>
      makeConsoleLink(sql, { publicUrl: publicUrl(), teamId, validMs: linkMs, isReadOnly }),
    );
    return showOnce(c, {
      title: 'A link for a colleague',
      here: 'Setup',
      advice: (
        <>
          Copy it now: it is not shown again. It works once, until <Time at={expiresAt} />. Whoever opens it{' '}
          {isReadOnly ? 'can look, and change nothing' : 'can see and change everything here'}.
        </>
      ),
      secret: url,
      back: { path: '/setup#browsers', words: 'setup' },
    });
  };
}

/** `POST /console/sessions/revoke`: signs a browser out, or all browsers, and then makes unused links useless. */
export function postSessionRevocation({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSessionRevocation(c) {
    const { form, session } = c.var;
    const id = decodeId('ses', form.browser ?? '');
    if (id) await ask(session.teamId, (sql) => revokeConsoleSessions(sql, session.teamId, id));
    else if (form.browser === 'all')
      await ask(session.teamId, (sql) => revokeConsoleSessions(sql, session.teamId));
    return c.redirect(`${c.var.home}/setup#browsers`, 303);
  };
}
