import { Readable } from 'node:stream';
import { ApiError } from '../../values/errors.js';
import { createSemaphore } from '../../values/semaphore.js';
import { byteOrderMark } from '../../values/text.js';
import type { ConsoleContext } from '../context.js';
import { dayOf, writeDay } from '../parts/calendar.js';
import type { Range } from '../parts/range.js';

/** Bytes that are kept in memory for a browser that reads slowly, or not at all. */
const waitingBytes = 65_536;
const oneDownload = 'Another download of this team is running; wait until it ends, or cancel it.';
export const oneOfTeam = { concurrent: Number.POSITIVE_INFINITY, concurrentPerKey: 1, waiting: 0 };

/** A file that a browser downloads. */
interface CsvFile {
  /** Content of the file, as the beginning of its name: `orders`. */
  noun: string;
  /** Range of the orders; null for any time. */
  range: Range | null;
  /** Lines of the file. Each is read when the browser has taken the lines before. */
  lines: AsyncIterable<string>;
}

/** Answers a request with a CSV file. */
export type DownloadCsv = (c: ConsoleContext, file: CsvFile) => Response;

/** Creates the function that answers with a file for spreadsheets. A team can run one download at a time. */
export function createDownloadCsv(): DownloadCsv {
  const downloads = createSemaphore(oneOfTeam);

  return function downloadCsv(c, { noun, range, lines }) {
    const { isTest, session, viewer } = c.var;
    const days = range
      ? `${writeDay(range.first)}-to-${writeDay(range.last)}`
      : writeDay(dayOf(viewer.now, viewer.zone));
    const release = downloads.tryAcquire(session.teamId);
    if (release === null) throw new ApiError('unavailable', { message: oneDownload });
    // Hono's `stream` would end an answer that failed halfway as if it were complete.
    const file = Readable.from(marked(lines), { objectMode: false, highWaterMark: waitingBytes });
    file.once('close', release);
    return c.body(Readable.toWeb(file) as ReadableStream, 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${isTest ? 'test-' : ''}${noun}-${days}.csv"`,
    });
  };
}

async function* marked(lines: AsyncIterable<string>) {
  yield byteOrderMark;
  yield* lines;
}
