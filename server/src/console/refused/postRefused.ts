import type { Handler } from 'hono';
import type { MakeChanges, RefusedChanges } from '../../refused/correct.js';
import { withoutComma } from '../../refused/correct.js';
import type { RefusedFilter } from '../../refused/refusedReport.js';
import { discardRefused, restoreRefused } from '../../refused/sql/removeRefused.js';
import { isAllowed, parseNewDomainEntry } from '../../teams/domains.js';
import { addDomain, findEntries } from '../../teams/sql/domain.js';
import { ApiError } from '../../values/errors.js';
import { decodeId } from '../../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import type { Viewer } from '../parts/viewer.js';
import { readAmount, writeAmount } from './amounts.js';
import { correctAlike, isAlikeCorrected } from './correctAlike.js';
import { correctable, fillFields, isNumberSent, type SentFields } from './correction.js';
import { flashParameters } from './flash.js';
import { renderRefusedReport, requireRefused } from './getRefusedReport.js';
import { readKind } from './refusedQuery.js';
import type { Flash } from './storeRefused.js';

const characters = 512;

type Form = ConsoleEnv['Variables']['form'];

/** `POST /console/refused/allow`: allows a host, and stores what was refused because it was not allowed. */
export function postRefusedAllow(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedAllow(c) {
    const { teamId } = c.var.session;
    const host = (c.var.form.host ?? '').slice(0, characters);
    const parsed = parseNewDomainEntry(host);
    if ('hint' in parsed) throw new ApiError('invalid_request', { message: `Not allowed: ${parsed.hint}.` });
    const domains = await deps.ask(teamId, (sql) => findEntries(sql, teamId));
    // Another browser may have allowed it meanwhile, as a test or with all subdomains. That entry stays.
    if (!isAllowed(host, domains)) {
      const isTest = c.var.form.test === 'yes';
      await deps.ask(teamId, (sql) => addDomain(sql, teamId, { entry: parsed.entry, isTest }));
    }
    const { flash } = await deps.storeRefused(teamId, { reason: 'domain_not_allowed', host });
    return toGroups(c, flash);
  };
}

/** `POST /console/refused/store`: stores a group again as if its reports had just arrived. */
export function postRefusedStore(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedStore(c) {
    const kind = requireKind(c.var.form);
    const { flash } = await deps.storeRefused(c.var.session.teamId, kind);
    return toGroups(c, flash);
  };
}

/**
 * `POST /console/refused/correct`: stores one report, with the fields that were changed; with `all`, and once it is stored,
 * others of its kind in the same way.
 */
export function postRefusedCorrection(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedCorrection(c) {
    const entry = await requireRefused(c, deps, c.var.form.id ?? '');
    const { viewer } = c.var;
    const sent = fillFields(entry, viewer);
    const values = { ...sent };
    for (const name of correctable)
      values[name] = (c.var.form[name] ?? sent[name]).slice(0, characters).trim();
    const isAmountRead = isNumberSent(entry);
    const changes = findChanges(sent, values, { viewer, isAmountRead });
    if (changes === null) {
      const message = 'the amount is not a number that can be stored exactly.';
      const how = `write it like ${writeAmount('1234.50', viewer.locale)}, with at most 15 significant digits`;
      const issues = [{ path: 'amount', message: how }];
      return renderRefusedReport(c, deps, entry, { values, message, issues });
    }
    const { teamId } = c.var.session;
    const { currency } = values;
    const alike =
      c.var.form.all === 'yes' && isAlikeCorrected(entry)
        ? correctAlike(entry, { currency, amount: readAmount(values.amount, viewer.locale) })
        : undefined;
    if (alike === null) {
      const message = 'the others cannot be read as you have read this amount. Store this one alone.';
      return renderRefusedReport(c, deps, entry, { values, message, issues: null });
    }
    // Nothing is left out of a report whose content is right: it is stored as it is.
    const isAsSent = Object.keys(changes).length === 0 && entry.reason !== 'invalid_request';
    const { flash, last } = await deps.storeRefused(
      teamId,
      { ids: [entry.id] },
      isAsSent ? undefined : changes,
    );
    if (last?.outcome.kind === 'refused') {
      const { issues } = last.outcome;
      // The list of the fields says the same as the message.
      const message = issues?.length ? 'a field is not valid.' : last.outcome.message;
      return renderRefusedReport(c, deps, entry, { values, message, issues });
    }
    if (!alike) return toGroups(c, flash);
    const { reason, host, field } = entry;
    const others = await deps.storeRefused(teamId, { reason, host, field }, alike);
    return toGroups(c, addFlashes(flash, others.flash));
  };
}

/**
 * `POST /console/refused/correct-all`: stores a group whose amounts have a decimal comma, or whose currency is missing, in
 * one go. Reports that are refused again stay.
 */
export function postRefusedGroupCorrection(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedGroupCorrection(c) {
    const { form, session } = c.var;
    const kind = requireKind(form);
    const currency = (form.currency ?? '').slice(0, characters).trim();
    const changes: RefusedChanges | MakeChanges = kind.field === 'currency' ? { currency } : correctAmount;
    const { flash } = await deps.storeRefused(session.teamId, kind, changes);
    return toGroups(c, flash);
  };
}

function correctAmount(sent: Record<string, unknown>): RefusedChanges {
  const amount = withoutComma(sent.amount);
  return amount === null ? {} : { amount: Number(amount) };
}

/** `POST /console/refused/discard`: removes one report, or the reports of a group that its page has counted. */
export function postRefusedDiscard(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedDiscard(c) {
    const filter = readDiscarded(c.var.form);
    const discarded = await deps.ask(c.var.session.teamId, (sql) =>
      discardRefused(sql, c.var.session.teamId, filter),
    );
    const undo = new URLSearchParams(
      Object.fromEntries(namesOfDiscarded.map((name) => [name, c.var.form[name] ?? ''])),
    );
    return toGroups(c, { discarded }, String(undo));
  };
}

/** `POST /console/refused/restore`: takes back what `postRefusedDiscard` did in the last day. */
export function postRefusedRestore(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postRefusedRestore(c) {
    const { teamId } = c.var.session;
    const filter = readDiscarded(Object.fromEntries(new URLSearchParams(c.var.form.undo ?? '')));
    return toGroups(c, { restored: await deps.ask(teamId, (sql) => restoreRefused(sql, teamId, filter)) });
  };
}

const namesOfDiscarded = ['id', 'reason', 'host', 'field', 'until'] as const;

function addFlashes(one: Flash, other: Flash): Flash {
  const sum = { ...one };
  for (const name of Object.keys(sum) as (keyof Flash)[]) sum[name] += other[name];
  return sum;
}

function toGroups(c: ConsoleContext, flash: Partial<Flash>, undo?: string): Response {
  return c.redirect(`${c.var.home}/refused${flashParameters(flash, undo)}`, 303);
}

function requireKind(form: Form) {
  const kind = readKind((name) => form[name]);
  if (!kind) throw new ApiError('invalid_request', { message: 'The form names no refused reports.' });
  return kind;
}

function readDiscarded(form: Form): RefusedFilter {
  const id = decodeId('ref', form.id ?? '');
  if (id !== null) return { ids: [id] };
  const sent = form.until ?? '';
  const until = new Date(sent);
  // `Date` reads years that PostgreSQL does not, and no page names one.
  if (!/^2\d{3}-/.test(sent) || Number.isNaN(until.getTime())) {
    throw new ApiError('invalid_request', { message: 'The form names no refused reports.' });
  }
  // Reports that came after the page was made were never shown.
  return { ...requireKind(form), until };
}

/**
 * Finds the changed fields; null when the amount is not a number or would be rounded.
 * @param options.isAmountRead false where the sent amount is no number: then the viewer's language decides what it says
 */
function findChanges(
  sent: SentFields,
  values: SentFields,
  { viewer, isAmountRead }: { viewer: Viewer; isAmountRead: boolean },
): RefusedChanges | null {
  const isChanged = (name: keyof SentFields) => values[name] !== sent[name].slice(0, characters).trim();
  const changes: RefusedChanges = {};
  for (const name of correctable) if (name !== 'amount' && isChanged(name)) changes[name] = values[name];
  if (isChanged('amount') || !isAmountRead) {
    const amount = readAmount(values.amount, viewer.locale);
    if (amount !== null) changes.amount = amount;
    else if (isChanged('amount')) return null;
  }
  return changes;
}
