import type { Child } from 'hono/jsx';

/** One line of a list of facts, as text that may run in either direction; nothing where there is no value. */
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
