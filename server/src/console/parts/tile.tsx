import type { Child } from 'hono/jsx';
import type { Tone } from './panel.js';

interface TileProps {
  name: string;
  figure: Child;
  /** The line below the figure. */
  about?: Child;
  change?: { words: string; tone: Tone | undefined; spoken: string } | null;
  /** Values over time, the oldest first. */
  trend?: readonly number[];
  /** The chart that it shows. */
  href?: string;
  isChosen?: boolean;
}

/** A figure with its change and its course. */
export function Tile({ name, figure, about, change, trend, href, isChosen }: TileProps) {
  const content = (
    <>
      <span class="muted">{name}</span>{' '}
      {change && (
        <small class={`tone ${change.tone ?? ''}`}>
          {change.words}
          <span class="hidden"> {change.spoken}</span>
        </small>
      )}{' '}
      <strong>{typeof figure === 'string' ? <Breakable>{figure}</Breakable> : figure}</strong>{' '}
      <small>{about}</small>
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

/** A figure that breaks before a group of three digits where it is wider than its tile. */
function Breakable({ children }: { children: string }) {
  const parts = children.split(/(?<=\p{Nd}\P{Nd})(?=\p{Nd}{3}(?!\p{Nd}))/u);
  return (
    <>
      {parts.map((part, at) => (
        <>
          {at > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}

/** Room for the line above and below it. */
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
