import type { Handler } from 'hono';
import { readCorrectedAmount } from '../refused/correct.js';
import type { RefusedFilter } from '../refused/refusedReport.js';
import type { RefusedChanges } from '../refused/replayRefused.js';
import { discardRefused } from '../refused/sql/removeRefused.js';
import { parseNewDomainEntry } from '../teams/domains.js';
import { addDomain, listDomains } from '../teams/sql/domain.js';
import { ApiError } from '../values/errors.js';
import { decodeId } from '../values/ids.js';
import { basePath, type ConsoleContext, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { replyRefusedReport, requireRefused } from './getRefusedReport.js';
import { readSessionForm } from './readForm.js';
import { newsParameters, type RefusedNews, readKind } from './refusedQuery.js';
import { isAllowed } from './refusedWords.js';
import { redirect } from './replyPage.js';
import { correctable, readSentFields, type SentFields } from './sentFields.js';

const characters = 512;

/** `POST /console/refused/allow`: allows a host, and stores what was refused because it was not allowed. */
export function postRefusedAllow(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedAllow(c) {
    const form = await readSessionForm(c, deps);
    const { teamId } = c.get('session');
    const host = (form.get('host') ?? '').slice(0, characters);
    const parsed = parseNewDomainEntry(host);
    if ('hint' in parsed) throw new ApiError('invalid_request', { message: `Not allowed: ${parsed.hint}.` });
    const domains = await deps.ask((sql) => listDomains(sql, teamId));
    // Somebody may have allowed it meanwhile, as a test or with all subdomains: that stays.
    if (!isAllowed(host, new Set(domains.map(({ domain }) => domain)))) {
      const isTest = form.get('test') === 'yes';
      await deps.ask((sql) => addDomain(sql, teamId, { entry: parsed.entry, isTest }));
    }
    const { news } = await deps.storeRefused(teamId, { reason: 'domain_not_allowed', host });
    return toGroups(c, deps, news);
  };
}

/** `POST /console/refused/store`: sends a group the way of every report again. */
export function postRefusedStore(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedStore(c) {
    const form = await readSessionForm(c, deps);
    const kind = requireKind(form);
    const { news } = await deps.storeRefused(c.get('session').teamId, kind);
    return toGroups(c, deps, news);
  };
}

/** `POST /console/refused/correct`: stores one report, with the fields that somebody has changed. */
export function postRefusedCorrection(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedCorrection(c) {
    const form = await readSessionForm(c, deps);
    const entry = await requireRefused(c, deps, form.get('id') ?? '');
    const sent = readSentFields(entry);
    const values = { ...sent };
    for (const name of correctable) values[name] = (form.get(name) ?? sent[name]).slice(0, characters).trim();
    const changes = findChanges(sent, values);
    if (changes === null) {
      const message = 'the amount is no number that can be kept to the digit.';
      const how = 'write it with a point, without separators and of at most 15 significant digits: 1234.50';
      const issues = [{ path: 'amount', message: how }];
      return replyRefusedReport(c, deps, entry, { values, message, issues });
    }
    const { news, last } = await deps.storeRefused(c.get('session').teamId, { ids: [entry.id] }, changes);
    if (last?.outcome.kind === 'refused') {
      const { message, issues } = last.outcome;
      return replyRefusedReport(c, deps, entry, { values, message, issues });
    }
    return toGroups(c, deps, news);
  };
}

/** `POST /console/refused/discard`: removes one report, or those of a group that its page has counted. */
export function postRefusedDiscard(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedDiscard(c) {
    const form = await readSessionForm(c, deps);
    const filter = readDiscarded(form);
    const discarded = await deps.ask((sql) => discardRefused(sql, c.get('session').teamId, filter));
    return toGroups(c, deps, { discarded });
  };
}

function toGroups(c: ConsoleContext, { publicUrl }: ConsoleDeps, news: Partial<RefusedNews>): Response {
  return redirect(c, `${basePath(publicUrl())}/console/refused${newsParameters(news)}`);
}

function requireKind(form: URLSearchParams) {
  const kind = readKind((name) => form.get(name));
  if (!kind) throw new ApiError('invalid_request', { message: 'The form names no refused reports.' });
  return kind;
}

function readDiscarded(form: URLSearchParams): RefusedFilter {
  const id = decodeId('ref', form.get('id') ?? '');
  if (id !== null) return { ids: [id] };
  const sent = form.get('until') ?? '';
  const until = new Date(sent);
  // `Date` reads years that PostgreSQL does not, and no page names one.
  if (!/^2\d{3}-/.test(sent) || Number.isNaN(until.getTime())) {
    throw new ApiError('invalid_request', { message: 'The form names no refused reports.' });
  }
  // What came after the page was made is nothing that anybody has seen.
  return { ...requireKind(form), until };
}

/** The fields that somebody has changed; undefined for none, null when the amount is no number or would be rounded. */
function findChanges(sent: SentFields, values: SentFields): RefusedChanges | undefined | null {
  const changed = correctable.filter((name) => values[name] !== sent[name].slice(0, characters).trim());
  if (changed.length === 0) return undefined;
  const changes: RefusedChanges = {};
  for (const name of changed) {
    if (name !== 'amount') {
      changes[name] = values[name];
      continue;
    }
    const amount = readCorrectedAmount(values.amount);
    if (amount === null) return null;
    changes.amount = amount;
  }
  return changes;
}
