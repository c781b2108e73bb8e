import type { Handler } from 'hono';
import { addSource, removeSource } from '../../sources/addSource.js';
import { parseAccess } from '../../sources/parseAccess.js';
import { parseSecret } from '../../sources/parseSecret.js';
import { providers } from '../../sources/providers.js';
import { sourceKinds } from '../../sources/source.js';
import {
  type ListedSource,
  listSources,
  replaceAccess,
  replaceSecret,
  requestSync,
} from '../../sources/sql/source.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderSetup } from './getSetup.js';
import { showOnce } from './showOnce.js';

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
    if (!added) return c.redirect(`${c.var.home}/setup#sources`, 303);
    const { name } = providers[kind];
    const isMade = parsed.secret === null && added.secret !== null;
    if (!isMade) return showSource(c, added.id);
    return showOnce(c, {
      title: `The secret for ${name}`,
      here: 'Setup',
      advice: `Copy it now: it is not shown again. Enter it as the secret of the webhook in ${name}, as the next page says.`,
      secret: added.secret!,
      back: { path: `/setup#${encodeId('src', added.id)}`, words: 'steps' },
    });
  };
}

/** `POST /console/sources/secret`: replaces the secret of a source, or shows why the text is none. */
export function postSourceSecret(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSourceSecret(c) {
    const { form, session } = c.var;
    const source = await findNamed(c, deps);
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

/** `POST /console/sources/access`: saves the key of a shop's API, or shows why the text is none. */
export function postSourceAccess(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSourceAccess(c) {
    const { form, session } = c.var;
    const source = await findNamed(c, deps);
    if (!source) return c.redirect(`${c.var.home}/setup#sources`, 303);
    const { shopUrl = '', apiKey = '' } = form;
    // Only whoever runs the server may let it ask private addresses.
    const parsed = parseAccess(source.kind, { shopUrl, apiKey, allowsPrivate: false });
    if ('hint' in parsed)
      return renderSetup(c, deps, {
        source: encodeId('src', source.id),
        hint: parsed.hint,
        isOfAccess: true,
      });
    await deps.ask(session.teamId, (sql) => replaceAccess(sql, session.teamId, source.id, parsed.access));
    return showSource(c, source.id);
  };
}

/** `POST /console/sources/sync`: lets the server ask a shop within a minute. */
export function postSourceSync(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postSourceSync(c) {
    const { teamId } = c.var.session;
    const source = await findNamed(c, deps);
    if (!source) return c.redirect(`${c.var.home}/setup#sources`, 303);
    await deps.ask(teamId, (sql) => requestSync(sql, teamId, source.id));
    return showSource(c, source.id);
  };
}

/** Finds the source that a form names; undefined where another browser has removed it. */
async function findNamed(c: ConsoleContext, deps: ConsoleDeps): Promise<ListedSource | undefined> {
  const { form, session } = c.var;
  const id = decodeId('src', form.source ?? '');
  const sources = await deps.ask(session.teamId, (sql) => listSources(sql, session.teamId));
  return sources.find((source) => source.id === id);
}

function showSource(c: ConsoleContext, id: Uuid): Response {
  return c.redirect(`${c.var.home}/setup#${encodeId('src', id)}`, 303);
}
