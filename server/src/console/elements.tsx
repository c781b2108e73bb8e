import type { Child } from 'hono/jsx';

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

/** One line of a list of facts, as text that may run in either direction. Renders nothing where there is no value. */
export function Fact({ name, children }: { name: string; children?: Child }) {
  if (children === null || children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
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
