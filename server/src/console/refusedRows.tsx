import type { RefusedRow } from '../refused/refusedReport.js';
import { displayDomain } from '../teams/domains.js';
import { encodeId } from '../values/ids.js';
import { formatMoney, formatNumber, formatTime } from './format.js';
import type { Reader } from './reader.js';
import { describeRefusedKind } from './refusedWords.js';
import { readSentFields } from './sentFields.js';

interface RefusedRowProps {
  entry: RefusedRow;
  base: string;
  reader: Reader;
}

/** One line of a list of refused reports; live pages get it by itself. Every text in it may be hostile. */
export function RefusedLine({ entry, base, reader }: RefusedRowProps) {
  const id = encodeId('ref', entry.id);
  const sent = readSentFields(entry);
  return (
    <tr id={id} data-at={entry.receivedAt.getTime()}>
      <td>
        <time datetime={entry.receivedAt.toISOString()}>{formatTime(entry.receivedAt, reader)}</time>
        {entry.times > 1 && <small> {formatNumber(entry.times, reader)} times</small>}
      </td>
      <th scope="row" class="long">
        <a href={`${base}/console/refused/${id}`}>{describeRefusedKind(entry, new Set()).why}</a>
      </th>
      <td class="long">
        <bdi>{shorten(sent.orderId)}</bdi>
      </td>
      <td class="long">
        <bdi>{shorten(sent.email)}</bdi>
      </td>
      <td class="number">
        {entry.amount !== null && entry.currency !== null ? (
          formatMoney(entry.amount, entry.currency, reader)
        ) : (
          <bdi>{shorten(sent.amount)}</bdi>
        )}
      </td>
    </tr>
  );
}

interface RefusedTableProps extends Omit<RefusedRowProps, 'entry'> {
  entries: readonly RefusedRow[];
  id?: string;
}

/** The list of refused reports with its heading. */
export function RefusedTable({ entries, id, ...row }: RefusedTableProps) {
  return (
    <table id={id}>
      <thead>
        <tr>
          <th scope="col">First time</th>
          <th scope="col">Refused because</th>
          <th scope="col">Your order id</th>
          <th scope="col">Buyer</th>
          <th scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <RefusedLine entry={entry} {...row} />
        ))}
      </tbody>
    </table>
  );
}

const shownCharacters = 120;

/** A text of a body may be as long as the body. */
function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text;
}

/** Where a refused report came from, in words. */
export function originOf({ host, keyHash }: Pick<RefusedRow, 'host' | 'keyHash'>): string {
  if (keyHash !== null) return 'a backend with an API key';
  return host === '' ? 'a page that names no host' : `a page of ${displayDomain(host)}`;
}
