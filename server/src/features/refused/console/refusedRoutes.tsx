import { Hono } from 'hono';
import type { ConsoleContext, ConsoleEnv } from '../../../console/context.js';
import { counted } from '../../../console/parts/format.js';
import { renderPage, setFlash } from '../../../console/parts/layout.js';
import { isAllowed, parseNewDomainEntry } from '../../../core/teams/domains.js';
import { addDomain, findEntries } from '../../../core/teams/sql/domain.js';
import { ApiError } from '../../../values/errors.js';
import { decodeId, encodeId } from '../../../values/ids.js';
import { type RefusedChanges, readDecimalText } from '../correct.js';
import type { RefusedKeeper } from '../keepRefused.js';
import type { RefusedFilter } from '../refusedReport.js';
import { discardRefused, restoreRefused } from '../sql/removeRefused.js';
import { loadRefused, loadReport, requireReport } from './loadRefused.js';
import { postCorrection } from './postCorrection.js';
import { Refused } from './refused.js';
import { readKind } from './refusedQuery.js';
import { Report } from './report.js';
import { type StoreRefused, sayStored } from './storeRefused.js';

const characters = 512;

interface RefusedRoutesDeps {
  storeRefused: StoreRefused;
  findUnkept: RefusedKeeper['findUnkept'];
}

/** `GET …/refused`, `…/refused/:id`, and the forms for refused reports. */
export function refusedRoutes(deps: RefusedRoutesDeps): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  app.get('/', async (c) =>
    renderPage(c, <Refused {...(await loadRefused(c, deps.findUnkept))} />, {
      title: 'Refused',
      here: 'Refused',
      isLive: true,
    }),
  );

  app.get('/:id', async (c) => {
    const entry = await requireReport(c, c.req.param('id'));
    // The address has the other mode, and so would the page's links.
    if (entry.isTest !== c.var.isTest) {
      const mode = entry.isTest ? 'test' : 'live';
      return c.redirect(c.var.link(`/refused/${encodeId('ref', entry.id)}`, { mode }), 303);
    }
    return renderPage(c, <Report {...(await loadReport(c, entry))} tried={null} />, {
      title: 'A refused report',
      here: 'Refused',
    });
  });

  // Allows a host, and stores the reports that were refused because of it.
  app.post('/allow', async (c) => {
    const { form, query, session } = c.var;
    const host = (form.host ?? '').slice(0, characters);
    const parsed = parseNewDomainEntry(host);
    if ('hint' in parsed) throw new ApiError('invalid_request', { message: `Not allowed: ${parsed.hint}.` });
    // Another browser may have allowed it, as a test or with all subdomains. That entry stays.
    if (!isAllowed(host, await query(findEntries)))
      await query(addDomain, { entry: parsed.entry, isTest: form.test === 'yes' });
    return sayStored(c, await deps.storeRefused(session.teamId, { reason: 'domain_not_allowed', host }));
  });

  // Stores the reports of a group as if they had just arrived.
  app.post('/store', async (c) =>
    sayStored(c, await deps.storeRefused(c.var.session.teamId, requireKind(c))),
  );

  app.post('/correct', (c) => postCorrection(c, deps.storeRefused));

  // Stores a group whose amounts can be read, or whose currency is missing. Reports that are refused again stay.
  app.post('/correct-all', async (c) => {
    const kind = requireKind(c);
    const currency = (c.var.form.currency ?? '').slice(0, characters).trim();
    const changes = kind.field === 'currency' ? { currency } : correctAmount;
    return sayStored(c, await deps.storeRefused(c.var.session.teamId, kind, changes));
  });

  // Discards one report, or the reports of a group that its page has counted.
  app.post('/discard', async (c) => {
    const { form, query, viewer, link } = c.var;
    const { reports, at } = await query(discardRefused, readMeant(c));
    setFlash(c, {
      words:
        at === null
          ? 'Nothing was left to discard. Someone else has already done it, or has stored it.'
          : `${counted(reports, 'report is', viewer, 'reports are')} discarded.`,
      ...(at && { undo: { to: '/refused/restore', fields: { ...form, at: at.toISOString() } } }),
    });
    return c.redirect(link('/refused'), 303);
  });

  app.post('/restore', async (c) => {
    const restored = await c.var.query(restoreRefused, readMeant(c), readTime(c.var.form.at));
    const words =
      restored === 0
        ? 'None was left to bring back: they are back already, or were discarded more than a day ago.'
        : `${counted(restored, 'report is', c.var.viewer, 'reports are')} back.`;
    setFlash(c, { words, tone: restored === 0 ? 'bad' : 'good' });
    return c.redirect(c.var.link('/refused'), 303);
  });
  return app;
}

function correctAmount(sent: Record<string, unknown>): RefusedChanges {
  const amount = readDecimalText(sent);
  return amount === null ? {} : { amount: Number(amount) };
}

function requireKind(c: ConsoleContext) {
  const kind = readKind((name) => c.var.form[name]);
  if (!kind) throw new ApiError('invalid_request', { message: 'The form names no refused reports.' });
  return { ...kind, isTest: c.var.isTest };
}

function readMeant(c: ConsoleContext): RefusedFilter {
  const id = decodeId('ref', c.var.form.id ?? '');
  if (id !== null) return { ids: [id] };
  const until = readTime(c.var.form.until);
  if (!until) throw new ApiError('invalid_request', { message: 'The form names no refused reports.' });
  // Reports that arrived after the page was made are left out, because the page did not show them.
  return { ...requireKind(c), until };
}

/** Reads a time that a page has written; undefined for any other text. */
function readTime(sent = ''): Date | undefined {
  const time = new Date(sent);
  // `Date` also reads years that PostgreSQL does not, but no page contains one.
  return /^2\d{3}-/.test(sent) && !Number.isNaN(time.getTime()) ? time : undefined;
}
