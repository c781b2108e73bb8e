import type { Child } from 'hono/jsx';
import type { Tone } from './panel.js';

interface TileProps {
  name: string;
  figure: Child;
  /** The line below the figure. */
  about?: Child;
  change?: { text: string; tone: Tone | undefined; ariaText: string } | null;
  /** Values over time, the oldest first. */
  trend?: readonly number[];
  /** Link to the chart of the figure. */
  href?: string;
  isChosen?: boolean;
}

/** A figure with its change and its trend. */
export function Tile({ name, figure, about, change, trend, href, isChosen }: TileProps) {
  const content = (
    <>
      <span class="muted">{name}</span>{' '}
      {change && (
        <small class={`tone ${change.tone ?? ''}`}>
          {change.text}
          <span class="hidden"> {change.ariaText}</span>
        </small>
      )}{' '}
      <strong class={sizeOf(figure)}>{figure}</strong> <small>{about}</small>
      {trend && <Sparkline values={trend} />}
    </>
  );
  if (href === undefined) return <p class="tile">{content}</p>;
  return (
    <a class="tile" href={href} aria-current={isChosen ? 'true' : undefined}>
      {content}
    </a>
  );
}

/** Most characters that fit on one line, for each class of a figure's size. */
const sizes = [
  [10, undefined],
  [14, 'm'],
  [18, 's'],
  [24, 'xs'],
] as const;

/** Returns the class of a figure that makes its letters small enough for one line; `breaks` if it is too long for all. */
const sizeOf = (figure: Child) =>
  sizes.find(([most]) => typeof figure !== 'string' || [...figure].length <= most)?.[1] ??
  (typeof figure === 'string' && [...figure].length > 24 ? 'breaks' : undefined);

/** Height of the sparkline, and its margin above and below. */
const [height, margin] = [24, 2];

function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = most - least || 1;
  const points = values.map((value, x) => {
    const y = height - margin - ((value - least) / span) * (height - 2 * margin);
    return `${x},${Math.round(y * 10) / 10}`;
  });
  return (
    <svg
      viewBox={`0 0 ${values.length - 1} ${height}`}
      width="100%"
      height="22"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--series-2)"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
