import { useConsole } from '../../../console/context.js';
import { Time } from '../../../console/parts/elements.js';
import { Confirm } from '../../../console/parts/form.js';
import { counted } from '../../../console/parts/format.js';
import { PageHead, Panel } from '../../../console/parts/panel.js';
import { Facts } from '../../../console/parts/table.js';
import { encodeId } from '../../../values/ids.js';
import type { RefusedRow } from '../refusedReport.js';
import { describeRefusedKind } from '../refusedWords.js';
import { AboutReason } from './aboutReason.js';
import { AllowHost } from './allowHost.js';
import { Correction, Issues, type TriedAgain } from './correction.js';
import { refusedParameters } from './refusedQuery.js';
import { originOf } from './refusedTable.js';

interface ReportProps {
  entry: RefusedRow;
  domains: ReadonlySet<string>;
  requiresSignature: boolean;
  /** The correction that was just refused; null without one. */
  tried: TriedAgain | null;
}

/**
 * Content of the page of one refused report: the reason, the form that corrects and stores it, and the report as it was
 * sent.
 */
export function Report({ entry, domains, requiresSignature, tried }: ReportProps) {
  const { link, viewer, session } = useConsole();
  const { why, advice, fix } = describeRefusedKind(entry, domains, requiresSignature);
  const isToBeCorrected = fix === 'each' || fix === 'comma';
  const isCorrectable = tried !== null || isToBeCorrected || fix === 'store';
  return (
    <>
      <PageHead
        title={
          <>
            <a href={link('/refused', refusedParameters(entry))}>Refused</a> / A report
          </>
        }
      >
        <Confirm
          to="/refused/discard"
          fields={{ id: encodeId('ref', entry.id) }}
          title="Discard"
          text="It will not count. You can undo it at once, and whoever runs your server can for a day."
        >
          Discard this report
        </Confirm>
      </PageHead>
      <div class="notice bad line">
        <div class="grow">
          <strong class="tone">
            <bdi dir="ltr">{why}</bdi>
          </strong>
          .{' '}
          {session.isReadOnly
            ? 'To store it, ask whoever sent you the link.'
            : isToBeCorrected
              ? entry.speaker === null
                ? 'Correct it here and store it. Fix the page or the backend too, or more will come.'
                : `Correct it in ${entry.speaker}, which tells of it again, or here, and store it.`
              : advice}
          <Issues issues={entry.issues} />
        </div>
        {fix === 'allow' && <AllowHost kind={entry} reports={1} />}
        <AboutReason reason={entry.reason} />
      </div>
      {isCorrectable && <Correction entry={entry} tried={tried} />}
      <div class="split">
        <Panel id="body" title="As it was sent">
          <pre tabindex={0}>{entry.body}</pre>
        </Panel>
        <Panel id="facts" title="Facts">
          <Facts
            facts={{
              'Came from': originOf(entry),
              'First time': <Time at={entry.receivedAt} />,
              'Last time':
                entry.times > 1 ? (
                  <>
                    <Time at={entry.lastAt} />, {counted(entry.times, 'time', viewer)} in all
                  </>
                ) : null,
              'Idempotency-Key': entry.idempotencyKey,
              'Version of the SDK': entry.sdkVersion,
              Report: encodeId('ref', entry.id),
            }}
          />
        </Panel>
      </div>
    </>
  );
}
