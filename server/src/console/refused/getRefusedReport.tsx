import type { Handler } from 'hono';
import type { RefusedRow } from '../../refused/refusedReport.js';
import { describeRefusedKind } from '../../refused/refusedWords.js';
import { groupRefused, listRefused } from '../../refused/sql/listRefused.js';
import { findEntries } from '../../teams/sql/domain.js';
import { findTeam } from '../../teams/sql/team.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { type ConsoleContext, type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { Fact } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatMoney, formatNumber } from '../parts/formatNumber.js';
import { formatTime } from '../parts/formatTime.js';
import { renderPage } from '../parts/layout.js';
import { AboutReason } from './aboutReason.js';
import { AllowHost } from './allowHost.js';
import { isAlikeCorrected } from './correctAlike.js';
import { Correction, Issues, type TriedAgain } from './correction.js';
import { refusedParameters } from './refusedQuery.js';
import { originOf } from './refusedTable.js';

/** `GET /console/refused/:id`: one refused report as it was sent, and the form that corrects and stores it. */
export function getRefusedReport(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getRefusedReport(c) {
    return renderRefusedReport(c, deps, await requireRefused(c, deps, c.req.param('id')!), null);
  };
}

/** Finds a refused report of the team. Throws `not_found` when it was stored or discarded, or never was. */
export async function requireRefused(
  c: ConsoleContext,
  { ask }: ConsoleDeps,
  id: string,
): Promise<RefusedRow> {
  const uuid = decodeId('ref', id);
  const { teamId } = c.var.session;
  const [entry] = uuid ? await ask(teamId, (sql) => listRefused(sql, teamId, { ids: [uuid], limit: 1 })) : [];
  if (entry) return entry;
  throw new ApiError('not_found', {
    message:
      'No refused report of this team has that id. It was stored or discarded, or is older than 30 days.',
  });
}

/** Answers with the page of a refused report. */
export async function renderRefusedReport(
  c: ConsoleContext,
  { ask }: ConsoleDeps,
  entry: RefusedRow,
  tried: TriedAgain | null,
): Promise<Response> {
  const { teamId } = c.var.session;
  const { reason, host, field } = entry;
  const [entries, team, groups] = await Promise.all([
    ask(teamId, (sql) => findEntries(sql, teamId)),
    ask(teamId, (sql) => findTeam(sql, teamId)),
    isAlikeCorrected(entry) ? ask(teamId, (sql) => groupRefused(sql, teamId, { reason, host, field })) : [],
  ]);
  const { why, advice, fix } = describeRefusedKind(entry, entries, team?.requiresSignature);
  c.status(tried ? 400 : 200);
  return renderPage(
    c,
    <>
      <h1>A refused report</h1>
      <p>
        <strong>
          <bdi dir="ltr">{why}</bdi>
        </strong>
        .{' '}
        {fix === 'each' || fix === 'comma'
          ? 'Correct it here and store it, or discard it. Fix the page or the backend too, or more will come.'
          : advice}{' '}
        <a href={`${c.var.home}/refused${refusedParameters(entry)}`}>All reports of this kind</a> ·{' '}
        <AboutReason reason={entry.reason} />
      </p>
      <Issues issues={entry.issues} />
      {fix === 'allow' && <AllowHost kind={entry} />}
      {(tried || fix === 'each' || fix === 'comma' || fix === 'store') && (
        <Correction entry={entry} tried={tried} alike={groups[0]?.reports ?? 0} />
      )}
      <Facts entry={entry} />
      <h2 id="body">As it was sent</h2>
      {entry.isCut && <p>Only its first 64 KiB are kept.</p>}
      <pre tabindex={0} class="body">
        {entry.body}
      </pre>
      <FoldedForm summary="Discard">
        <p>
          {entry.amount !== null && entry.currency !== null
            ? `This order of ${formatMoney(entry.amount, entry.currency, c.var.viewer)}`
            : 'This order'}{' '}
          will never count. You can undo this for a day.
        </p>
        <Form action="/refused/discard" class="inline">
          <input type="hidden" name="id" value={encodeId('ref', entry.id)} />
          <button type="submit" class="secondary">
            Discard this report
          </button>
        </Form>
      </FoldedForm>
    </>,
    { title: 'A refused report', here: 'Refused' },
  );
}

function Facts({ entry }: { entry: RefusedRow }) {
  const { viewer } = useConsole();
  return (
    <dl class="fields">
      <Fact name="Came from">{originOf(entry)}</Fact>
      <Fact name="First time">{formatTime(entry.receivedAt, viewer)}</Fact>
      {entry.times > 1 && (
        <Fact name="Last time">
          {formatTime(entry.lastAt, viewer)}, {formatNumber(entry.times, viewer)} times in all
        </Fact>
      )}
      <Fact name="Idempotency-Key">{entry.idempotencyKey}</Fact>
      <Fact name="Version of the SDK">{entry.sdkVersion}</Fact>
      <Fact name="Report">{encodeId('ref', entry.id)}</Fact>
    </dl>
  );
}
