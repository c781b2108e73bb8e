import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';
import { formatAgo, formatExactTime, formatTime } from './formatTime.js';

interface ChoiceProps {
  name: string;
  label: string;
  chosen: string;
  /** Value and words of each. */
  choices: readonly (readonly [value: string, words: string])[];
}

/** A field that chooses among a few. */
export function Choice({ name, label, chosen, choices }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {choices.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Attributes of a field that was not accepted: the page opens at it, and its reason is read out with it. */
export function refusedField(reasonId: string) {
  return { 'aria-invalid': 'true', 'aria-describedby': reasonId, autofocus: true } as const;
}

/**
 * One line of a list of facts. A text alone may be anybody's, and runs in its own direction; a sentence with other elements is
 * the console's. Renders nothing where there is no value.
 */
export function Fact({ name, children }: { name: string; children?: Child }) {
  if (children === null || children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof children === 'string' ? <bdi>{children}</bdi> : children}</dd>
    </div>
  );
}

/** A time, with its second and zone on pointing at it. */
export function Time({ at }: { at: Date }) {
  const { viewer } = useConsole();
  return (
    <time datetime={at.toISOString()} title={formatExactTime(at, viewer)}>
      {formatTime(at, viewer)}
    </time>
  );
}

/** A wide table that scrolls sideways without the page, by keyboard too (axe: scrollable-region-focusable). */
export function Scroll({ labelledBy, children }: { labelledBy: string; children?: Child }) {
  return (
    <section class="scroll" aria-labelledby={labelledBy} tabindex={0}>
      {children}
    </section>
  );
}

/** A time that a phone shows as its distance from now while that is less than a day: `5 min ago`. */
export function TimeOrAgo({ at }: { at: Date }) {
  const { viewer } = useConsole();
  const ago = formatAgo(at, viewer);
  if (ago === null) return <Time at={at} />;
  return (
    <time data-ago datetime={at.toISOString()} title={formatExactTime(at, viewer)}>
      <span>{formatTime(at, viewer)}</span>
      <span class="ago">{ago}</span>
    </time>
  );
}

/** Leads back to the list of orders, with the parameters that it had; by default to all orders. */
export function BackToOrders({ parameters = '' }: { parameters?: string }) {
  const { home } = useConsole();
  return (
    <p>
      <a href={`${home}/orders${parameters}`}>{parameters === '' ? 'All orders' : 'Back to the orders'}</a>
    </p>
  );
}

interface KeyCellsProps {
  lastFour: string;
  name: string | null;
  isTest: boolean;
  createdAt: Date;
}

/** The first cells of a key's row: its end, its purpose, its world, and when it was made. */
export function KeyCells({ lastFour, name, isTest, createdAt }: KeyCellsProps) {
  const { viewer } = useConsole();
  return (
    <>
      <th scope="row">
        <code>…{lastFour}</code>
      </th>
      <td class="long">
        <bdi>{name}</bdi>
      </td>
      <td>{isTest ? <span class="badge">test</span> : 'live'}</td>
      <td>{formatTime(createdAt, viewer)}</td>
    </>
  );
}
