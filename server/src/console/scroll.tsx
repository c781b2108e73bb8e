import type { Child } from 'hono/jsx';

/** A wide table that scrolls sideways by itself and not the page with it, by keyboard too (axe: scrollable-region-focusable). */
export function Scroll({ labelledBy, children }: { labelledBy: string; children?: Child }) {
  return (
    <section class="scroll" aria-labelledby={labelledBy} tabindex={0}>
      {children}
    </section>
  );
}
