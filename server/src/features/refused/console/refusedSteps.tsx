import type { ConsoleContext } from '../../../console/context.js';
import { counted } from '../../../console/parts/format.js';
import type { TimelineStep } from '../../../console/parts/timeline.js';
import { findEntries } from '../../../core/teams/sql/domain.js';
import { encodeId } from '../../../values/ids.js';
import { describeRefusedKind } from '../refusedWords.js';
import { listRefusedOfOrder } from '../sql/listRefused.js';
import { originOf } from './refusedTable.js';

/** Reads the reports of an order that were refused, as steps of its timeline. */
export async function readRefusedSteps(
  c: ConsoleContext,
  { orderId, reportId }: { orderId: string | null; reportId: string | null },
): Promise<TimelineStep[]> {
  const { query, link, viewer } = c.var;
  const [refused, domains] = await Promise.all([
    query(listRefusedOfOrder, { orderId, reportId }),
    query(findEntries),
  ]);
  return refused.map((entry) => ({
    at: entry.receivedAt,
    title: 'A report was refused',
    tone: 'bad',
    content: (
      <>
        <a href={link(`/refused/${encodeId('ref', entry.id)}`)}>{describeRefusedKind(entry, domains).why}</a>.
        Sent by <bdi>{originOf(entry)}</bdi>
        {entry.times > 1 && `, ${counted(entry.times, 'time', viewer)}`}. It needs attention.
      </>
    ),
  }));
}
