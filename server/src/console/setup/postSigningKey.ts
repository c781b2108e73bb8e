import type { Handler } from 'hono';
import { inTransaction } from '../../database/inTransaction.js';
import { issueSigningKey } from '../../teams/issueSigningKey.js';
import { revokeSigningKey } from '../../teams/sql/signingKey.js';
import { findTeam, updateTeam } from '../../teams/sql/team.js';
import { decodeId } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import { isStorable } from '../../values/text.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { showOnce } from './showOnce.js';

const setupPath = '/console/setup#signing';

/** `POST /console/signing-keys`: makes a signing key and shows it, once. */
export function postNewSigningKey({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postNewSigningKey(c) {
    const { form, session } = c.var;
    const text = (form.name ?? '').trim().slice(0, limits.text).toWellFormed();
    const name = text !== '' && isStorable(text) ? text : null;
    const isTest = form.test === 'yes';
    const issued = await ask(session.teamId, (sql) => issueSigningKey(sql, session.teamId, { isTest, name }));
    // Another browser has made the last one.
    if (!issued) return toSetup(c);
    const signs = isTest ? 'orders of test domains' : 'live orders';
    return showOnce(c, {
      title: 'The new signing key',
      here: 'Setup',
      advice: `Copy it now: it is not shown again. Put it among your server’s secrets, and never into a page. It signs ${signs} only.`,
      secret: issued.key,
      back: { path: setupPath, words: 'setup' },
    });
  };
}

/** `POST /console/signing-keys/revoke`: revokes a signing key, which another browser may have done already. */
export function postSigningKeyRevocation({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSigningKeyRevocation(c) {
    const { form, session } = c.var;
    const id = decodeId('sig', form.key ?? '');
    if (id) await ask(session.teamId, (sql) => revokeSigningKey(sql, session.teamId, id));
    return toSetup(c);
  };
}

/** `POST /console/signing-keys/require`: refuses unsigned orders of pages from now on, or accepts them again. */
export function postSignatureRequirement({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSignatureRequirement(c) {
    const { form, session } = c.var;
    const requiresSignature = form.required === 'yes';
    await ask(session.teamId, (sql) =>
      inTransaction(sql, async (tx) => {
        const team = await findTeam(tx, session.teamId, { lock: true });
        if (team) await updateTeam(tx, { ...team, requiresSignature });
      }),
    );
    return toSetup(c);
  };
}

function toSetup(c: ConsoleContext): Response {
  return c.redirect(c.var.base + setupPath, 303);
}
