import type { Handler } from 'hono';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { allowDomain } from './allowDomain.js';
import { allowedParameters } from './allowedNotice.js';
import { renderSetup } from './getSetup.js';
import { pastedCharacters, readPastedDomain } from './pastedDomain.js';

/** `POST /console/domains`: allows a domain, one of the own network as a test, and says so, or why the text is none. */
export function postDomain(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomain(c) {
    const { form, session } = c.var;
    const pasted = (form.domain ?? '').slice(0, pastedCharacters);
    const parsed = readPastedDomain(pasted);
    const wantsTest = form.test === 'yes';
    if ('hint' in parsed) return renderSetup(c, deps, { domain: pasted, wantsTest, hint: parsed.hint });
    const { entry } = parsed;
    const allowed = await allowDomain(deps.ask, session.teamId, { entry, wantsTest });
    return c.redirect(`${c.var.base}/console/setup${allowedParameters(entry, allowed)}#domains`, 303);
  };
}
