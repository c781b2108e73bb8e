import type { Handler } from 'hono';
import type { RefusedRow } from '../refused/refusedReport.js';
import { listRefused } from '../refused/sql/listRefused.js';
import { listDomains } from '../teams/sql/domain.js';
import { ApiError } from '../values/errors.js';
import { decodeId, encodeId } from '../values/ids.js';
import { basePath, type ConsoleContext, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { Correction, Issues, type TriedAgain } from './correction.js';
import { Fact } from './fact.js';
import { formatNumber, formatTime } from './format.js';
import { FormToken, Page } from './layout.js';
import type { Reader } from './reader.js';
import { refusedParameters } from './refusedQuery.js';
import { originOf } from './refusedRows.js';
import { describeRefusedKind } from './refusedWords.js';
import { replyPage } from './replyPage.js';

/** `GET /console/refused/:id`: one refused report as it was sent, and the form that corrects and stores it. */
export function getRefusedReport(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getRefusedReport(c) {
    return replyRefusedReport(c, deps, await requireRefused(c, deps, c.req.param('id')!), null);
  };
}

/** Finds a refused report of the team. Throws `not_found` when it was stored or discarded, or never was. */
export async function requireRefused(
  c: ConsoleContext,
  { ask }: ConsoleDeps,
  id: string,
): Promise<RefusedRow> {
  const uuid = decodeId('ref', id);
  const { teamId } = c.get('session');
  const [entry] = uuid ? await ask((sql) => listRefused(sql, teamId, { ids: [uuid], limit: 1 })) : [];
  if (entry) return entry;
  throw new ApiError('not_found', {
    message: 'No refused report of this team has that id. It was stored or discarded, or is 30 days old.',
  });
}

/** Answers with the page of a refused report. */
export async function replyRefusedReport(
  c: ConsoleContext,
  { ask, publicUrl }: ConsoleDeps,
  entry: RefusedRow,
  tried: TriedAgain | null,
): Promise<Response> {
  const session = c.get('session');
  const reader = c.get('reader');
  const base = basePath(publicUrl());
  const domains = await ask((sql) => listDomains(sql, session.teamId));
  const { why, fix, mend } = describeRefusedKind(entry, new Set(domains.map(({ domain }) => domain)));
  return replyPage(
    c,
    tried ? 400 : 200,
    <Page title="A refused report" here="Refused" base={base} session={session} zone={reader.zone}>
      <h1>A refused report</h1>
      <p>
        <strong>
          <bdi>{why}</bdi>
        </strong>
        .{' '}
        {mend === 'each' ? (
          'Correct it here and store it, or discard it. Mend the page or the backend too, or more will come.'
        ) : (
          <>
            {fix} <a href={`${base}/console/refused${refusedParameters(entry)}`}>All reports of this kind</a>
          </>
        )}
      </p>
      <Issues issues={entry.issues} />
      <Correction entry={entry} base={base} session={session} tried={tried} />
      <Facts entry={entry} reader={reader} />
      <h2 id="body">As it was sent</h2>
      {entry.isCut && <p>Only its first 64 KiB are kept.</p>}
      <pre tabindex={0} class="body">
        {entry.body}
      </pre>
      <details>
        <summary>Discard</summary>
        <form method="post" action={`${base}/console/refused/discard`} class="inline">
          <FormToken session={session} />
          <input type="hidden" name="id" value={encodeId('ref', entry.id)} />
          <button type="submit" class="secondary">
            Discard this report for ever
          </button>
        </form>
      </details>
    </Page>,
  );
}

function Facts({ entry, reader }: { entry: RefusedRow; reader: Reader }) {
  return (
    <dl class="fields">
      <Fact name="Came from">{originOf(entry)}</Fact>
      <Fact name="First time">{formatTime(entry.receivedAt, reader)}</Fact>
      {entry.times > 1 && (
        <Fact name="Last time">
          {formatTime(entry.lastAt, reader)}, {formatNumber(entry.times, reader)} times in all
        </Fact>
      )}
      <Fact name="Idempotency-Key">{entry.idempotencyKey}</Fact>
      <Fact name="Version of the SDK">{entry.sdkVersion}</Fact>
      <Fact name="Report">{encodeId('ref', entry.id)}</Fact>
    </dl>
  );
}
