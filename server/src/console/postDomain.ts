import type { Handler } from 'hono';
import { parseDomainEntry, parseNewDomainEntry } from '../teams/domains.js';
import { addDomain, removeDomain } from '../teams/sql/domain.js';
import { isPrivateHost } from '../values/privateHost.js';
import type { ConsoleDeps, ConsoleEnv } from './context.js';
import { renderSetup } from './getSetup.js';

const domainCharacters = 255;

/** `POST /console/domains`: allows a domain, one of the own network as a test, or shows why the text is none. */
export function postDomain(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomain(c) {
    const { form, session } = c.var;
    const domain = (form.domain ?? '').slice(0, domainCharacters);
    const parsed = parseNewDomainEntry(domain);
    if ('hint' in parsed) return renderSetup(c, deps, { domain, hint: parsed.hint });
    const isTest = form.test === 'yes' || isPrivateHost(parsed.entry);
    await deps.ask((sql) => addDomain(sql, session.teamId, { entry: parsed.entry, isTest }));
    return c.redirect(`${c.var.base}/console/setup#domains`, 303);
  };
}

/** `POST /console/domains/remove`: removes an allowed domain, which another browser may have removed already. */
export function postDomainRemoval(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomainRemoval(c) {
    const { form, session } = c.var;
    const parsed = parseDomainEntry((form.domain ?? '').slice(0, domainCharacters));
    if ('entry' in parsed) {
      await deps.ask((sql) => removeDomain(sql, session.teamId, parsed.entry));
    }
    return c.redirect(`${c.var.base}/console/setup#domains`, 303);
  };
}
