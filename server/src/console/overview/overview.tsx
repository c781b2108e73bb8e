import type { ListedHook } from '../../hooks/sql/hook.js';
import type { LongSilence } from '../../orders/silence.js';
import type { RefundSumRow } from '../../orders/sql/listRefunds.js';
import type { OriginRow } from '../../orders/sql/orderOrigins.js';
import { command } from '../../site/checks/check.js';
import { useConsole } from '../context.js';
import { Choice } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';
import type { DoneSteps } from '../setup/setupSteps.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';
import { type AskedRange, rangeParameters } from './askedRange.js';
import { NewestOrders } from './newestOrders.js';
import { NoOrders } from './noOrders.js';
import { OrderHosts, type ShownHost } from './orderHosts.js';
import { OrderOrigins, type OriginQuery } from './orderOrigins.js';
import { OrdersByTime } from './ordersByTime.js';
import type { Figures, FiguresBefore } from './overviewFigures.js';
import { OverviewSums } from './overviewSums.js';
import type { Range } from './range.js';
import { describeRange, RangeFields, RangeNote } from './rangeFields.js';
import { SilenceNotice } from './silenceNotice.js';
import { WebhookNotices } from './webhookNotices.js';

interface OverviewProps {
  now: Date;
  /** The parameters of the page. */
  asked: AskedRange;
  range: Range;
  /** See `readRange`. */
  note: string | null;
  /** True when the range that was asked for is not the shown one. */
  isRefused: boolean;
  mode: 'live' | 'test';
  /** The currency whose money is shown by time; empty for the number of orders. */
  currency: string;
  figures: Figures;
  before: FiguresBefore;
  origins: readonly OriginRow[];
  originQuery: OriginQuery;
  /** Refunds that were made in the range, whenever their orders were. */
  refunds: readonly RefundSumRow[];
  hosts: ShownHost[];
  /** The steps to a first order. */
  done: DoneSteps;
  /** The newest orders, whatever the range. */
  newest: readonly ShownOrderRow[];
  isNewestPartial: boolean;
  /** Number of refused reports that need attention. */
  refused: number;
  hooks: readonly ListedHook[];
  /** Null while orders come, and for test orders. */
  silence: LongSilence | null;
  /** `team_…` of the demo team; null on the console of any other team. */
  demoTeamId: string | null;
}

/** The content of the overview. The script `liveFigures.js` replaces the parts with `data-fresh` when orders arrive. */
export function Overview(props: OverviewProps) {
  const { asked, range, note, isRefused, mode, currency, figures, originQuery } = props;
  const { home, viewer } = useConsole();
  const title = describeRange(range, viewer);
  return (
    <>
      <h1>Overview</h1>
      <form method="get" action={`${home}`} class="filters" autocomplete="off">
        <input type="hidden" name="touch" value={originQuery.touch} />
        <input type="hidden" name="by" value={originQuery.by} />
        <RangeFields asked={asked} range={range} isRefused={isRefused} />
        <Choice
          name="mode"
          label="Orders"
          chosen={mode}
          choices={[
            ['live', 'Live'],
            ['test', 'Test'],
          ]}
        />
        <Choice
          name="show"
          label="By time"
          chosen={currency}
          choices={[['', 'Number of orders'], ...moneyChoices(props)]}
        />
        <button type="submit" class="show">
          Show
        </button>
      </form>
      <RangeNote note={note} />
      {props.demoTeamId !== null && (
        <p class="notice">
          Orders whose id begins with SAMPLE- are made up, and so are the refused reports of “Rae Sample”.
          This command removes the demo team with all of them:{' '}
          <code>
            {command} team remove --team {props.demoTeamId}
          </code>
        </p>
      )}
      <div data-fresh="notices">
        {props.refused > 0 && (
          <p class="notice bad">
            <a href={`${home}/refused`}>
              {formatNumber(props.refused, viewer)} refused{' '}
              {props.refused === 1 ? 'report needs' : 'reports need'} attention
            </a>
            . Fix or discard {props.refused === 1 ? 'it' : 'them'}.
          </p>
        )}
        <SilenceNotice silence={props.silence} now={props.now} />
        <WebhookNotices hooks={props.hooks} />
      </div>
      <div data-fresh="figures">
        {figures.orders === 0 && props.refunds.length === 0 ? (
          <NoOrders {...props} title={title} />
        ) : (
          <>
            <OverviewSums {...props} />
            {figures.orders > 0 && <OrdersByTime {...props} />}
          </>
        )}
      </div>
      <NewestOrders {...props} />
      <div data-fresh="origins">
        {(figures.orders > 0 || props.refunds.length > 0) && (
          <OrderOrigins
            origins={props.origins}
            {...originQuery}
            page={{ ...rangeParameters(range), mode, ...(currency && { show: currency }) }}
          />
        )}
      </div>
      <div data-fresh="hosts">
        <OrderHosts {...props} />
      </div>
    </>
  );
}

/** The currencies with a sum, and the one that is chosen. */
function moneyChoices({ figures, currency }: OverviewProps) {
  const codes = new Set(figures.money.map(({ currency }) => currency));
  if (currency) codes.add(currency);
  return [...codes].map((code) => [code, `Money in ${code}`] as const);
}
