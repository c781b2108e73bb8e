import { useConsole } from '../../console/context.js';
import { BarList } from '../../console/parts/bars.js';
import { formatMoney, formatNumber } from '../../console/parts/format.js';
import { Empty, Panel, Seg } from '../../console/parts/panel.js';
import type { OverviewData } from './loadOverview.js';
import { type OverviewQuery, overviewParameters } from './overviewQuery.js';
import { type OriginPart, type OriginRow, originParts, touchChoices } from './sql/readOrigins.js';

const touchWords = { first: 'First visit', last: 'Last campaign' } as const;
const partWords = { source: 'Source', medium: 'Medium', campaign: 'Campaign' } as const;

/** The overview's list of where buyers came from. */
export function Origins({ origins, query }: OverviewData) {
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
            words: touchWords[touch],
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
                words: partWords[by],
                isChosen: by === query.by,
              }))}
            />
          }
          heads={['Orders', 'Gross']}
          rows={origins.toSorted(compareOrigins).map((origin) => ({
            name: <Name origin={origin} by={query.by} />,
            value: origin.orders,
            cells: [formatNumber(origin.orders, viewer), <Money money={origin.money} />],
          }))}
        />
      )}
    </Panel>
  );
}

const places = { named: 0, direct: 0, others: 1, unknown: 2 };

/** Those with the most orders first; others together and unknown ones last. */
const compareOrigins = (one: OriginRow, other: OriginRow) =>
  places[one.kind] - places[other.kind] || other.orders - one.orders;

const kindWords = {
  direct: ['Direct', 'typed or bookmarked'],
  unknown: ['Unknown', 'no visit seen'],
  others: ['Others', ''],
} as const;

function Name({ origin: { kind, name }, by }: { origin: OriginRow; by: OriginPart }) {
  if (kind === 'named') return <bdi>{name || `No ${by}`}</bdi>;
  const [title, about] = kindWords[kind];
  return (
    <bdi>
      {title} <span class="muted wide">{about}</span>
    </bdi>
  );
}

/** The money of the currency with the most orders; that of the others on pointing at it. */
function Money({ money }: Pick<OriginRow, 'money'>) {
  const { viewer } = useConsole();
  const [first, ...others] = money.map(({ currency, amount }) => formatMoney(amount, currency, viewer));
  if (others.length === 0) return <>{first}</>;
  return (
    <span title={`and ${others.join(' and ')}`}>
      {first}
      <span class="muted"> +{others.length}</span>
    </span>
  );
}
