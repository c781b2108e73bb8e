import { useConsole } from '../context.js';
import type { AskedRange } from '../overview/askedRange.js';
import { RangeFields } from '../overview/rangeFields.js';
import { Choice } from '../parts/elements.js';
import type { OrderQuery } from './orderQuery.js';
import { reporters } from './reporterWords.js';

/** The form above the list of orders: search, range, mode and reporter. */
export function OrderFilters({ query, asked }: { query: OrderQuery; asked: AskedRange }) {
  const { home } = useConsole();
  return (
    <form method="get" action={`${home}/orders`} class="filters" autocomplete="off">
      <label class="wide">
        Order id, order number, email or name
        <input type="search" name="q" value={query.q} autocomplete="off" spellcheck={false} />
      </label>
      <RangeFields
        asked={asked}
        range={query.range}
        isRefused={query.note !== null && query.range === null}
        none="Any time"
      />
      <Choice
        name="mode"
        label="Orders"
        chosen={query.mode}
        choices={[
          ['all', 'Live and test'],
          ['live', 'Live'],
          ['test', 'Test'],
        ]}
      />
      <Choice
        name="by"
        label="Reported by"
        chosen={query.by}
        choices={[
          ['anyone', 'Any'],
          ...reporters.map(({ reportedBy, title }) => [reportedBy, title] as const),
        ]}
      />
      <button type="submit" class="show">
        Show
      </button>
    </form>
  );
}
