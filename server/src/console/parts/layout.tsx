import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';
import { encodeId } from '../../values/ids.js';
import type { ConsoleContext } from '../context.js';
import { refusedMark } from '../refused/refusedMark.js';
import { takeFlash } from './flash.js';
import { Navigation, type NavigationPlace } from './navigation.js';

interface PageProps {
  title: string;
  /** The page's place in the navigation. Only pages of a session have one; others have no navigation. */
  here?: NavigationPlace;
  /** Scripts of the page: files below `assets/`. */
  scripts?: readonly string[];
}

/**
 * Answers with a page of the console. Its components find the request by `useConsole`, as with Hono's `jsxRenderer`,
 * whose `c.render` takes no typed properties: TypeScript cannot extend an interface that hono exports by name.
 */
export async function renderPage(
  c: ConsoleContext,
  content: Child,
  { title, here, scripts = [] }: PageProps,
): Promise<Response> {
  const { base, viewer } = c.var;
  const refused = here ? refusedMark(await c.var.sumRefused(), viewer) : '';
  const flash = here ? takeFlash(c) : null;
  const assets = `${base}/console/assets`;
  return c.html(
    html`<!doctype html>${(
      <RequestContext.Provider value={c}>
        <html
          lang="en"
          data-locale={viewer.locale}
          data-team={here && encodeId('team', c.var.session.teamId)}
        >
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>{`${title} · Orderbeacon`}</title>
            <link rel="icon" href={`${assets}/icon.svg`} />
            <link rel="stylesheet" href={`${assets}/pico.min.css`} />
            {scripts.includes('chart.js') && <link rel="stylesheet" href={`${assets}/uPlot.min.css`} />}
            <link rel="stylesheet" href={`${assets}/console.css`} />
            {[...(here ? ['filters.js', 'sendOnce.js', 'stack.js', 'ago.js'] : []), ...scripts].map(
              (name) => (
                <script src={`${assets}/${name}`} defer></script>
              ),
            )}
          </head>
          <body>
            {here && <Navigation here={here} refused={refused} />}
            <main id="content" class={here ? 'container' : 'container narrow'}>
              {flash && (
                <p role="status" class={`notice ${flash.tone}`}>
                  {flash.words}
                </p>
              )}
              {content}
            </main>
            {here && (
              <footer class="container">
                <small>Times in {viewer.zone}.</small>
              </footer>
            )}
          </body>
        </html>
      </RequestContext.Provider>
    )}`,
  );
}
