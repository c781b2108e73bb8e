import type { Handler } from 'hono';
import { parseDomainEntry, parseNewDomainEntry } from '../teams/domains.js';
import { addDomain, removeDomain } from '../teams/sql/domain.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { replySetup } from './getSetup.js';
import { readSessionForm } from './readForm.js';
import { redirect } from './replyPage.js';

const domainCharacters = 255;

/** `POST /console/domains`: allows a domain, or shows why the text cannot be one. */
export function postDomain(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomain(c) {
    const form = await readSessionForm(c, deps);
    const domain = (form.get('domain') ?? '').slice(0, domainCharacters);
    const parsed = parseNewDomainEntry(domain);
    if ('hint' in parsed) return replySetup(c, deps, 400, { domain, hint: parsed.hint });
    const { teamId } = c.get('session');
    const isTest = form.get('test') === 'yes';
    await deps.ask((sql) => addDomain(sql, teamId, { entry: parsed.entry, isTest }));
    return redirect(c, `${basePath(deps.publicUrl())}/console/setup#domains`);
  };
}

/** `POST /console/domains/remove`: removes an allowed domain, which somebody else may have removed already. */
export function postDomainRemoval(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomainRemoval(c) {
    const form = await readSessionForm(c, deps);
    const parsed = parseDomainEntry((form.get('domain') ?? '').slice(0, domainCharacters));
    if ('entry' in parsed) {
      await deps.ask((sql) => removeDomain(sql, c.get('session').teamId, parsed.entry));
    }
    return redirect(c, `${basePath(deps.publicUrl())}/console/setup#domains`);
  };
}
