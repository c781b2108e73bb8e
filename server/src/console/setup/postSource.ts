import type { Handler } from 'hono';
import { addSource, removeSource } from '../../sources/addSource.js';
import { parseSecret } from '../../sources/parseSecret.js';
import { sourceKinds } from '../../sources/source.js';
import { listSources, replaceSecret } from '../../sources/sql/source.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderSetup } from './getSetup.js';

/** `POST /console/sources`: adds a source, whose secret may come later, or shows why the secret is none. */
export function postNewSource(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postNewSource(c) {
    const { form, session } = c.var;
    const kind = sourceKinds.find((kind) => kind === form.kind) ?? sourceKinds[0];
    const text = form.secret?.trim() ?? '';
    const parsed = text === '' ? { secret: null } : parseSecret(kind, text);
    const isTest = form.test === 'yes';
    if ('hint' in parsed) return renderSetup(c, deps, { source: 'new', kind, isTest, hint: parsed.hint });
    const given = { kind, isTest, secret: parsed.secret };
    const added = await deps.ask(session.teamId, (sql) => addSource(sql, session.teamId, given));
    // The page says that the team has all of its sources.
    return added ? showSource(c, added.id) : c.redirect(`${c.var.home}/setup#sources`, 303);
  };
}

/** `POST /console/sources/secret`: replaces the secret of a source, or shows why the text is none. */
export function postSourceSecret(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSourceSecret(c) {
    const { form, session } = c.var;
    const id = decodeId('src', form.source ?? '');
    const sources = await deps.ask(session.teamId, (sql) => listSources(sql, session.teamId));
    const source = sources.find((source) => source.id === id);
    // Another browser has removed it.
    if (!source) return c.redirect(`${c.var.home}/setup#sources`, 303);
    const parsed = parseSecret(source.kind, form.secret ?? '');
    if ('hint' in parsed)
      return renderSetup(c, deps, { source: encodeId('src', source.id), hint: parsed.hint });
    await deps.ask(session.teamId, (sql) => replaceSecret(sql, session.teamId, source.id, parsed.secret));
    return showSource(c, source.id);
  };
}

/** `POST /console/sources/remove`: removes a source, which another browser may have removed already. */
export function postSourceRemoval(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSourceRemoval(c) {
    const { form, session } = c.var;
    const id = decodeId('src', form.source ?? '');
    if (id) await deps.ask(session.teamId, (sql) => removeSource(sql, session.teamId, id));
    return c.redirect(`${c.var.home}/setup#sources`, 303);
  };
}

function showSource(c: ConsoleContext, id: Uuid): Response {
  return c.redirect(`${c.var.home}/setup#${encodeId('src', id)}`, 303);
}
