import { Hono } from 'hono';
import { issueKey } from '../../core/teams/issueKey.js';
import { revokeKey } from '../../core/teams/sql/apiKey.js';
import { decodeId } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import { isStorable } from '../../values/text.js';
import { dayMs } from '../../values/time.js';
import { makeConsoleLink } from '../access/consoleAccess.js';
import { revokeConsoleSessions } from '../access/consoleSession.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext, ConsoleEnv } from '../context.js';
import { Time } from '../parts/elements.js';
import { setFlash } from '../parts/layout.js';
import { showOnce } from '../parts/showOnce.js';
import { ApiKeys } from './keys.js';
import { loadSetup, renderSetup } from './setupPage.js';

const linkMs = 2 * dayMs;
const back = { path: '/setup/keys', text: 'Keys and colleagues' };

/** Routes of `…/setup/keys`: API keys, and the browsers that are signed in. Each secret is shown once, when it is made. */
export function keyRoutes({ parts, publicUrl }: ConsoleDeps): Hono<ConsoleEnv> {
  const toKeys = (c: ConsoleContext) => c.redirect(c.var.link(back.path), 303);

  return (
    new Hono<ConsoleEnv>()
      .get('/', async (c) => {
        const setup = await loadSetup(c, parts);
        return renderSetup(c, setup, { title: 'Keys and colleagues', content: <ApiKeys {...setup} /> });
      })
      .post('/', async (c) => {
        const { form, query } = c.var;
        const text = (form.name ?? '').trim().slice(0, limits.text).toWellFormed();
        const name = text !== '' && isStorable(text) ? text : null;
        const mode = form.test === 'yes' ? 'test' : 'live';
        const { key } = await query(issueKey, { mode, name });
        return showOnce(c, {
          title: 'The new API key',
          here: 'Setup',
          advice: `Copy it now: it is not shown again. Put it among your backend’s secrets, and never into a page. It reports ${mode} orders.`,
          secret: key,
          back,
        });
      })
      // Another browser may have revoked the key already.
      .post('/revoke', async (c) => {
        const id = decodeId('key', c.var.form.key ?? '');
        if (id && (await c.var.query(revokeKey, id))) setFlash(c, { words: 'The key is revoked.' });
        return toKeys(c);
      })
      .post('/links', async (c) => {
        const { form, query } = c.var;
        // If the form lacks the field, access is view-only.
        const isReadOnly = form.may !== 'all';
        const { url, expiresAt } = await query((sql, teamId) =>
          makeConsoleLink(sql, { publicUrl: publicUrl(), teamId, validMs: linkMs, isReadOnly }),
        );
        return showOnce(c, {
          title: 'A link for a colleague',
          here: 'Setup',
          advice: (
            <>
              Copy it now: it is not shown again. It works once, until <Time at={expiresAt} />. Whoever opens
              it {isReadOnly ? 'can view, and change nothing' : 'can view and change everything'}.
            </>
          ),
          secret: url,
          back,
        });
      })
      // Signs out one browser; or all, and then unused links stop to work, too.
      .post('/sign-out', async (c) => {
        const { browser } = c.var.form;
        const id = decodeId('ses', browser ?? '');
        if (id) await c.var.query(revokeConsoleSessions, id);
        else if (browser === 'all') await c.var.query(revokeConsoleSessions);
        return toKeys(c);
      })
  );
}
