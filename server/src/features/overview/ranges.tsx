import { useConsole } from '../../console/context.js';
import { Menu, MenuGroup } from '../../console/parts/form.js';
import { Seg } from '../../console/parts/panel.js';
import { makeRange, rangeParameters, rangeTitles } from '../../console/parts/range.js';
import type { OverviewData } from './loadOverview.js';
import { type OverviewQuery, overviewParameters } from './overviewQuery.js';

const namedRanges = ['today', '7d', '30d'] as const;
const otherRanges = ['month', 'last-month', '12m'] as const;

/** Links that choose the range of the overview, and the currency of its money. */
export function Ranges({ query, money }: { query: OverviewQuery; money: OverviewData['figures']['money'] }) {
  const { link, viewer, isTest } = useConsole();
  const { range } = query;
  const to = (name: (typeof namedRanges | typeof otherRanges)[number]) =>
    link('', overviewParameters(query, { range: makeRange(name, viewer) }));
  const chosen = rangeParameters(range);
  const kept = overviewParameters(query);
  return (
    <>
      <Seg
        label="Range"
        choices={namedRanges.map((name) => ({
          href: to(name),
          text: rangeTitles[name],
          isChosen: name === range.name,
        }))}
      />
      <Menu
        title={namedRanges.some((name) => name === range.name) ? 'More' : rangeTitles[range.name]}
        isAtEnd
      >
        <MenuGroup title="Range" />
        {otherRanges.map((name) => (
          <li>
            <a href={to(name)} aria-current={name === range.name ? 'true' : undefined}>
              {rangeTitles[name]}
            </a>
          </li>
        ))}
        <MenuGroup title="Any days" />
        <li>
          <form class="stack" method="get" autocomplete="off">
            {Object.entries({ ...kept, mode: isTest ? 'test' : 'live', range: 'custom' }).map(
              ([name, value]) =>
                value !== undefined &&
                name !== 'from' &&
                name !== 'to' && <input type="hidden" name={name} value={value} />,
            )}
            <label>
              From <input type="date" name="from" value={chosen.from} />
            </label>
            <label>
              To <input type="date" name="to" value={chosen.to} />
            </label>
            <button type="submit">Show</button>
          </form>
        </li>
        {money.length > 1 && <MenuGroup title="Money" />}
        {money.length > 1 &&
          money.map(({ currency }) => (
            <li>
              <a href={link('', overviewParameters(query, { currency }))}>Money in {currency}</a>
            </li>
          ))}
      </Menu>
    </>
  );
}
