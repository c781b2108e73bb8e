import type { Child } from 'hono/jsx';
import type { ConsoleContext } from '../context.js';
import { renderPage } from './layout.js';
import { Copy, PageHead } from './panel.js';

interface ShowOnceProps {
  title: string;
  /** Title of the page's entry in the navigation. */
  here: string;
  /** Advice on how to keep the secret. */
  advice: Child;
  secret: string;
  /** The page to return to: its path below the team's, and its name. */
  back: { path: string; text: string };
}

/** Answers with a page that shows a new secret, for copying. No other page shows it. */
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
