import { useConsole } from '../../../console/context.js';
import { Time } from '../../../console/parts/elements.js';
import { counted, formatMoney } from '../../../console/parts/format.js';
import { Table } from '../../../console/parts/table.js';
import { displayHost } from '../../../core/teams/domains.js';
import { encodeId } from '../../../values/ids.js';
import type { RefusedRow } from '../refusedReport.js';
import { readSentFields } from './correction.js';

/** A table of refused reports. All text in it may be hostile. */
export function RefusedTable({ entries }: { entries: readonly RefusedRow[] }) {
  const { link, viewer } = useConsole();
  const rows = entries.map((entry) => ({ entry, sent: readSentFields(entry) }));
  return (
    <Table
      rows={rows}
      columns={[
        {
          head: 'Order',
          class: 'note text',
          isName: true,
          cell: ({ entry, sent }) => (
            <a href={link(`/refused/${encodeId('ref', entry.id)}`)} class="name">
              <bdi>{shorten(sent.orderId) || 'no id'}</bdi>
            </a>
          ),
        },
        {
          head: 'Buyer',
          class: 'title long',
          cell: ({ sent }) => <bdi>{shorten(sent.email) || 'no email'}</bdi>,
        },
        {
          head: 'Sent as amount',
          class: 'number value text',
          cell: ({ entry, sent }) =>
            entry.amount !== null && entry.currency !== null ? (
              formatMoney(entry.amount, entry.currency, viewer)
            ) : (
              <bdi>{shorten([sent.amount, sent.currency].filter(Boolean).join(' '))}</bdi>
            ),
        },
        {
          head: 'First time',
          class: 'number time',
          cell: ({ entry }) => (
            <>
              <Time at={entry.receivedAt} />
              {entry.times > 1 && <small> {counted(entry.times, 'time', viewer)}</small>}
            </>
          ),
        },
      ]}
    />
  );
}

const shownCharacters = 60;

/** Shortens a text of a body, which may be as long as the body. */
function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text;
}

/** Describes the sender of a refused report. */
export function originOf({
  host,
  keyHash,
  speaker,
}: Pick<RefusedRow, 'host' | 'keyHash' | 'speaker'>): string {
  if (speaker !== null) return `your source of ${speaker}`;
  if (keyHash !== null) return 'a backend with an API key';
  return host === '' ? 'a page that names no host' : `a page of ${displayHost(host)}`;
}
