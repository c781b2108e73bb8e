import type { Handler } from 'hono';
import { displayDomain, parseDomainEntry } from '../../teams/domains.js';
import { removeDomain } from '../../teams/sql/domain.js';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { setFlash } from '../parts/flash.js';
import { allowDomain } from './allowDomain.js';
import { renderSetup } from './getSetup.js';
import { pastedCharacters, readPastedDomain } from './pastedDomain.js';

const domainsPath = '/setup#domains';

/** `POST …/domains`: allows a domain, one of the own network as a test, and says so, or why the text is none. */
export function postDomain(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomain(c) {
    const { form, session } = c.var;
    const pasted = (form.domain ?? '').slice(0, pastedCharacters);
    const parsed = readPastedDomain(pasted);
    const wantsTest = form.test === 'yes';
    if ('hint' in parsed) return renderSetup(c, deps, { domain: pasted, wantsTest, hint: parsed.hint });
    const { entry } = parsed;
    setFlash(c, { words: await allowDomain(deps.ask, session.teamId, { entry, wantsTest }) });
    return c.redirect(c.var.home + domainsPath, 303);
  };
}

/** `POST …/domains/remove`: removes an allowed domain, which another browser may have removed already. */
export function postDomainRemoval({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomainRemoval(c) {
    const { form, session } = c.var;
    const parsed = parseDomainEntry((form.domain ?? '').slice(0, pastedCharacters));
    const entry = 'entry' in parsed ? parsed.entry : '';
    const removed = await ask(session.teamId, (sql) => removeDomain(sql, session.teamId, entry));
    if (removed) setFlash(c, { words: `${displayDomain(entry)} is removed.` });
    return c.redirect(c.var.home + domainsPath, 303);
  };
}
