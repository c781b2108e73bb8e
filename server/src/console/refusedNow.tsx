import type { RefusedRow } from '../refused/refusedReport.js';
import type { Reader } from './reader.js';
import { RefusedTable } from './refusedRows.js';
import { Scroll } from './scroll.js';

/** How far back a page that shows orders as they arrive shows refused reports. */
export const refusedNowMs = 60 * 60_000;
/** How many of them it shows. */
export const refusedNowAtMost = 5;

interface RefusedNowProps {
  /** The newest refused reports. */
  entries: readonly RefusedRow[];
  base: string;
  reader: Reader;
  now: Date;
  /** What names the table. */
  heading: 'h2' | 'h3';
}

/** The reports that were refused lately, on a page that shows what arrives; hidden until there is one. */
export function RefusedNow({ entries, base, reader, now, heading: Heading }: RefusedNowProps) {
  const late = entries.filter(({ receivedAt }) => now.getTime() - receivedAt.getTime() < refusedNowMs);
  return (
    <section id="refused-now" hidden={late.length === 0}>
      <Heading id="refused-heading">Refused, this last hour</Heading>
      <Scroll labelledBy="refused-heading">
        <RefusedTable id="refused" entries={late} base={base} reader={reader} />
      </Scroll>
      <p>
        <a href={`${base}/console/refused`}>Mend and store them</a>
      </p>
    </section>
  );
}
