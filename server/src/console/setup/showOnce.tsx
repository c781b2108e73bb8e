import type { Child } from 'hono/jsx';
import type { ConsoleContext } from '../context.js';
import { renderPage } from '../parts/layout.js';
import type { NavigationPlace } from '../parts/navigation.js';

interface ShowOnceProps {
  title: string;
  here: NavigationPlace;
  /** Says how to keep the secret. */
  advice: Child;
  secret: string;
  /** The page that made it: its path, with a fragment, and its words. */
  back: { path: string; words: string };
}

/** Answers with a page that shows a secret which was just made, to be copied, and leads back. No other page shows it. */
export function showOnce(c: ConsoleContext, { title, here, advice, secret, back }: ShowOnceProps) {
  return renderPage(
    c,
    <>
      <h1>{title}</h1>
      <p>{advice}</p>
      <pre data-copy tabindex={0}>
        {secret}
      </pre>
      <p>
        <a href={c.var.home + back.path}>Back to the {back.words}</a>
      </p>
    </>,
    { title, here, scripts: ['copy.js'] },
  );
}
