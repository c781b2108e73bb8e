import { useConsole } from '../../console/context.js';
import { writeOrigin } from '../../console/orders/orderOrigin.js';
import { BarList } from '../../console/parts/bars.js';
import { counted, formatMoney, formatNumber } from '../../console/parts/format.js';
import { Empty, Panel, Seg } from '../../console/parts/panel.js';
import { rangeParameters } from '../../console/parts/range.js';
import { originParts, touchChoices } from '../../console/sql/origin.js';
import type { OverviewData } from './loadOverview.js';
import { type OverviewQuery, overviewParameters } from './overviewQuery.js';
import { type OriginRow, originsShown } from './sql/readOrigins.js';

const touchWords = { first: 'First visit', last: 'Last campaign' } as const;
const partWords = { source: 'Source', medium: 'Medium', campaign: 'Campaign' } as const;

/** The overview's list of where buyers came from. */
export function Origins({ origins, query, figures: { currency } }: OverviewData) {
  const { link, viewer } = useConsole();
  const to = (change: Partial<OverviewQuery>) => `${link('', overviewParameters(query, change))}#origins`;
  const isUnknown = origins.every(({ kind }) => kind === 'unknown');
  return (
    <Panel
      id="origins"
      title="Where orders come from"
      beside={
        <Seg
          label="Which visit"
          isAtEnd
          choices={touchChoices.map((touch) => ({
            href: to({ touch }),
            text: touchWords[touch],
            isChosen: touch === query.touch,
          }))}
        />
      }
    >
      {isUnknown ? (
        <Empty>
          Unknown, because the visits before these orders were not seen. Put the script on every page of your
          shop, not only on the confirmation page: see <a href={link('/setup/install')}>Setup</a>.
        </Empty>
      ) : (
        <BarList
          head={
            <Seg
              label="By"
              choices={originParts.map((by) => ({
                href: to({ by }),
                text: partWords[by],
                isChosen: by === query.by,
              }))}
            />
          }
          heads={['Orders', 'Gross']}
          rows={origins.toSorted(compareOrigins).map((origin) => ({
            name: <Name origin={origin} query={query} />,
            value: origin.orders,
            cells: [formatNumber(origin.orders, viewer), <Money money={origin.money} currency={currency} />],
          }))}
        />
      )}
      {query.isWhole && origins.length > originsShown && (
        <footer>
          <a href={to({ isWhole: false })}>Show the largest ten</a>
        </footer>
      )}
    </Panel>
  );
}

const ranks = { named: 0, direct: 0, others: 1, unknown: 2 };

/** Sorts origins by their number of orders. The sum of all smaller ones, and unknown origins, come last. */
const compareOrigins = (one: OriginRow, other: OriginRow) =>
  ranks[one.kind] - ranks[other.kind] || other.orders - one.orders;

const kindWords = {
  direct: ['Direct', 'typed or bookmarked'],
  unknown: ['Unknown', 'no visit seen'],
} as const;

/** The name of a row, as a link to its orders. The row of all others links to the list of all origins. */
function Name({ origin: { kind, name }, query }: { origin: OriginRow; query: OverviewQuery }) {
  const { link } = useConsole();
  const { touch, by, range } = query;
  if (kind === 'others')
    return query.isWhole ? (
      <>Others</>
    ) : (
      <a href={`${link('', overviewParameters(query, { isWhole: true }))}#origins`}>Others: show all</a>
    );
  const origin = kind === 'named' ? { kind, touch, by, name } : { kind, touch };
  const href = link('/orders', { ...rangeParameters(range), came: writeOrigin(origin) });
  if (kind === 'named')
    return (
      <a href={href}>
        <bdi>{name || `No ${by}`}</bdi>
      </a>
    );
  const [title, about] = kindWords[kind];
  return (
    <a href={href}>
      {title} <span class="muted wide">{about}</span>
    </a>
  );
}

/**
 * The money of a row in one currency: the page's, or else the one with the most orders. A tooltip has the other
 * currencies.
 */
function Money({ money, currency }: Pick<OriginRow, 'money'> & { currency: string }) {
  const { viewer } = useConsole();
  const [first, ...others] = money
    .toSorted((one, other) => Number(other.currency === currency) - Number(one.currency === currency))
    .map(({ currency, amount }) => formatMoney(amount, currency, viewer));
  if (others.length === 0) return <>{first}</>;
  return (
    <span title={`and ${others.join(' and ')}`}>
      {first}
      <br />
      <small>+{counted(others.length, 'currency', viewer, 'currencies')}</small>
    </span>
  );
}
