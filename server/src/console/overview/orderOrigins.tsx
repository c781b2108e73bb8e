import {
  type OriginPart,
  type OriginRow,
  originParts,
  type TouchChoice,
  touchChoices,
} from '../../orders/sql/orderOrigins.js';
import { useConsole } from '../context.js';
import { Scroll } from '../parts/elements.js';
import { formatMoney, formatNumber } from '../parts/formatNumber.js';

/** Touch and part of the landing that the table of origins shows. */
export interface OriginQuery {
  touch: TouchChoice;
  by: OriginPart;
}

/** Reads the parameters of the table; one that is not valid counts as absent. */
export function readOriginQuery({ touch, by }: Record<string, string>): OriginQuery {
  return {
    touch: touchChoices.find((choice) => choice === touch) ?? 'first',
    by: originParts.find((part) => part === by) ?? 'source',
  };
}

interface OrderOriginsProps extends OriginQuery {
  origins: readonly OriginRow[];
  /** The other parameters of the page. */
  page: Record<string, string>;
}

const touchWords = { first: 'First visit', last: 'Last campaign' } as const;
const partWords = { source: 'Source', medium: 'Medium', campaign: 'Campaign' } as const;

/** The overview's table of where buyers came from. */
export function OrderOrigins({ origins, touch, by, page }: OrderOriginsProps) {
  const { home, viewer } = useConsole();
  if (origins.length === 0) return null;
  const address = (change: Partial<OriginQuery>) =>
    `${home}?${new URLSearchParams({ ...page, touch, by, ...change })}#origins`;
  return (
    <section>
      <h2 id="origins">Where orders come from</h2>
      {origins.every(({ kind }) => kind === 'unknown') ? (
        <p>
          Unknown, because the visits before these orders were not seen. Put the script on every page of your
          shop, not only on the confirmation page: see <a href={`${home}/setup`}>Setup</a>.
        </p>
      ) : (
        <>
          <p class="choices">
            {touchChoices.map((choice) => (
              <a href={address({ touch: choice })} aria-current={choice === touch ? 'true' : undefined}>
                {touchWords[choice]}
              </a>
            ))}
            {originParts.map((part) => (
              <a href={address({ by: part })} aria-current={part === by ? 'true' : undefined}>
                By {part}
              </a>
            ))}
          </p>
          <Scroll labelledBy="origins">
            <table>
              <thead>
                <tr>
                  <th scope="col">{partWords[by]}</th>
                  <th scope="col" class="number">
                    Orders
                  </th>
                  <th scope="col" class="number">
                    Money
                  </th>
                </tr>
              </thead>
              <tbody>
                {origins.map((origin) => (
                  <tr>
                    <th scope="row" class="long">
                      <bdi>{nameOrigin(origin, by)}</bdi>
                    </th>
                    <td class="number">{formatNumber(origin.orders, viewer)}</td>
                    <td class="number">
                      <Money money={origin.money} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </>
      )}
    </section>
  );
}

const kindWords = {
  direct: 'Direct: typed or bookmarked',
  unknown: 'Unknown: no visit seen',
  others: 'Others',
} as const;

function nameOrigin({ kind, name }: OriginRow, by: OriginPart): string {
  return kind === 'named' ? name || `No ${by}` : kindWords[kind];
}

/** Currencies of a line. */
const currenciesShown = 3;

function Money({ money }: Pick<OriginRow, 'money'>) {
  const { viewer } = useConsole();
  return (
    <>
      {money
        .slice(0, currenciesShown)
        .map(({ currency, amount }) => formatMoney(amount, currency, viewer))
        .join(' + ')}
      {money.length > currenciesShown && ' and other currencies'}
    </>
  );
}
