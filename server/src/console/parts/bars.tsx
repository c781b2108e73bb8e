import type { Child } from 'hono/jsx';

/** One bar of a chart, with a value for each series, from the bottom up. */
interface Bar {
  values: readonly number[];
  /** Text that appears when the bar is pointed at. */
  title: string;
  /** Name of the bar, below the chart. If there are many bars, not all names are shown. */
  mark: string;
}

interface BarsProps {
  bars: readonly Bar[];
  /** Subject of the chart, for screen readers. */
  label: string;
  /** Formats a value of the scale. */
  write: (value: number) => string;
}

/** Number of names below a chart. */
const marksAtMost = 6;

/** A chart of stacked bars. Its texts are HTML, so that they never shrink. */
export function Bars({ bars, label, write }: BarsProps) {
  const most = niceMost(
    Math.max(...bars.map(({ values }) => values.reduce((sum, value) => sum + Math.max(0, value), 0))),
  );
  const every = Math.ceil(bars.length / marksAtMost);
  const groups = Math.floor(bars.length / every);
  const shown = Math.floor((every - 1) / 2);
  return (
    <div class="plot">
      <div aria-hidden="true">
        {[most, most / 2, 0].map((value) => (
          <span>{write(value)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${bars.length * 10} 100`}
        width="100%"
        height="100"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0, 50, 100].map((y) => (
          <rect x="0" y={Math.min(y, 99)} width={bars.length * 10} height="1" fill="var(--border)" />
        ))}
        {bars.map(({ values, title }, at) => (
          <g>
            <title>{title}</title>
            <rect x={at * 10} width="10" height="100" fill="transparent" />
            {stack(values, most).map(({ y, height }, series) => (
              <rect fill={`var(--series-${series + 1})`} x={at * 10 + 1.5} y={y} width="7" height={height} />
            ))}
          </g>
        ))}
      </svg>
      <div aria-hidden="true">
        {Array.from({ length: groups }, (_, group) => (
          <span>{bars[group * every + shown]?.mark}</span>
        ))}
      </div>
    </div>
  );
}

/** The name of a chart's series, after a square in its colour. */
export function SeriesName({ series, children }: { series: 1 | 2; children: Child }) {
  return (
    <small>
      <svg width="10" height="10" aria-hidden="true">
        <rect width="10" height="10" rx="2" fill={`var(--series-${series})`} />
      </svg>{' '}
      {children}
    </small>
  );
}

function stack(values: readonly number[], most: number): { y: number; height: number }[] {
  let top = 100;
  return values.map((value) => {
    const height = Math.round((Math.max(0, value) / most) * 1000) / 10;
    top -= height;
    return { y: Math.round(top * 10) / 10, height };
  });
}

/** Returns the top of a scale for values up to `value`: twice a round number. Small numbers get a whole one, and 0 gets 1. */
function niceMost(value: number): number {
  const half = (value || 1) / 2;
  const unit = 10 ** Math.floor(Math.log10(half));
  const step = [1, 2, unit === 1 ? 3 : 2.5, 5, 10].find((step) => step * unit >= half)!;
  return 2 * step * unit;
}

interface BarListProps {
  /** The head of the names, which may be a choice. */
  head: Child;
  heads: readonly string[];
  rows: readonly { name: Child; value: number; cells: readonly Child[] }[];
}

/** A list of names. Each has a bar behind it, as long as its value, and cells. */
export function BarList({ head, heads, rows }: BarListProps) {
  const most = Math.max(...rows.map(({ value }) => value), 1);
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col" class="long">
            {head}
          </th>
          {heads.map((title) => (
            <th scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, value, cells }) => (
          <tr>
            <th scope="row" class="long">
              <svg width="100%" height="25" aria-hidden="true">
                <rect
                  width={`${Math.round((value / most) * 100)}%`}
                  height="25"
                  rx="4"
                  fill="var(--accent-tint)"
                />
              </svg>
              {name}
            </th>
            {cells.map((cell) => (
              <td class="number">{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
