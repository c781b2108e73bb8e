import type { Child } from 'hono/jsx';

/** The frame of every page's header, with a link that skips it. */
export function Header({ children }: { children: Child }) {
  return (
    <>
      <a class="hidden" href="#content">
        Skip to the content
      </a>
      <header>
        <div class="bar">{children}</div>
      </header>
    </>
  );
}
