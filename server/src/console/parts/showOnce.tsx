import type { Child } from 'hono/jsx';
import type { ConsoleContext } from '../context.js';
import { renderPage } from './layout.js';
import { Copy, PageHead } from './panel.js';

interface ShowOnceProps {
  title: string;
  /** The title of the page's place in the navigation. */
  here: string;
  /** Says how to keep the secret. */
  advice: Child;
  secret: string;
  /** The page that made it: its path below the team's, and its words. */
  back: { path: string; text: string };
}

/** Answers with a page that shows a secret which was just made, to be copied, and leads back. No other page shows it. */
export function showOnce(c: ConsoleContext, { title, here, advice, secret, back }: ShowOnceProps) {
  return renderPage(
    c,
    <>
      <PageHead title={title}>
        <a href={c.var.link(back.path)}>Back to {back.text}</a>
      </PageHead>
      <section class="panel" aria-label={title}>
        <p class="body">{advice}</p>
        <Copy name={title.toLowerCase()}>{secret}</Copy>
      </section>
    </>,
    { title, here },
  );
}
