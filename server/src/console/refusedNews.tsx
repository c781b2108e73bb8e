import { formatNumber } from './format.js';
import type { Reader } from './reader.js';
import type { RefusedNews } from './refusedQuery.js';

/** Says what became of the reports that somebody has just stored or discarded. */
export function News({ news, reader }: { news: RefusedNews; reader: Reader }) {
  const { stored, known, refused, left, discarded } = news;
  const count = (n: number, one: string, many: string) =>
    n > 0 ? `${formatNumber(n, reader)} ${n === 1 ? one : many} ` : '';
  const isAllDone = refused === 0 && left === 0;
  const words =
    count(stored, 'order is stored.', 'orders are stored.') +
    count(known, 'was stored before, and still is once.', 'were stored before, and still are once.') +
    count(discarded, 'report is discarded.', 'reports are discarded.') +
    count(refused, 'was refused again, and stays below.', 'were refused again, and stay below.') +
    count(left, 'is left: press once more.', 'are left: press once more.');
  return (
    <p role="status" class={`notice ${isAllDone ? 'good' : 'bad'}`}>
      {words.trim() || 'Nothing was left to do: somebody else has done it meanwhile.'}
    </p>
  );
}
