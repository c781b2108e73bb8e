import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';
import { type ConsoleContext, useConsole } from './context.js';

/** The pages in the navigation, in their order. */
const pages = [
  { path: '/console', title: 'Overview' },
  { path: '/console/orders', title: 'Orders' },
  { path: '/console/refused', title: 'Refused' },
  { path: '/console/setup', title: 'Setup' },
] as const;

interface PageProps {
  title: string;
  /** The page's place in the navigation. Only pages of a session have one; others have no navigation. */
  here?: (typeof pages)[number]['title'];
  /** Scripts of the page: files below `assets/`. */
  scripts?: readonly string[];
}

/**
 * Answers with a page of the console. Its components find the request by `useConsole`, as with Hono's `jsxRenderer`,
 * whose `c.render` takes no typed properties: TypeScript cannot extend an interface that hono exports by name.
 */
export function renderPage(
  c: ConsoleContext,
  content: Child,
  { title, here, scripts = [] }: PageProps,
): Response | Promise<Response> {
  const { base, viewer } = c.var;
  const assets = `${base}/console/assets`;
  return c.html(
    html`<!doctype html>${(
      <RequestContext.Provider value={c}>
        {/* The script zone.js reloads the page when the browser's time zone is another. */}
        <html lang="en" data-zone={here && viewer.zone} data-locale={viewer.locale}>
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>{`${title} · Orderbeacon`}</title>
            <link rel="icon" href={`${assets}/icon.svg`} />
            <link rel="stylesheet" href={`${assets}/pico.min.css`} />
            {scripts.includes('chart.js') && <link rel="stylesheet" href={`${assets}/uPlot.min.css`} />}
            <link rel="stylesheet" href={`${assets}/console.css`} />
            {['zone.js', ...scripts].map((name) => (
              <script src={`${assets}/${name}`} defer></script>
            ))}
          </head>
          <body>
            {here && <Navigation here={here} />}
            <main id="content" class={here ? 'container' : 'container narrow'}>
              {content}
            </main>
          </body>
        </html>
      </RequestContext.Provider>
    )}`,
  );
}

function Navigation({ here }: Required<Pick<PageProps, 'here'>>) {
  const { base, session } = useConsole();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="container">
        <nav aria-label="Console">
          <ul>
            <li class="team">
              <strong dir="auto">{session.teamName}</strong>
            </li>
            {pages.map(({ path, title }) => (
              <li>
                <a href={base + path} aria-current={title === here ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
            <li class="sign-out">
              <Form action="/console/sign-out" class="inline">
                <button type="submit" class="outline secondary small">
                  Sign out
                </button>
              </Form>
            </li>
          </ul>
        </nav>
      </header>
    </>
  );
}

/**
 * A form of a signed-in page, with the session's token.
 * @param props.action its path on this server
 */
export function Form({ action, children, ...rest }: { action: string; class?: string; children?: Child }) {
  const { base, session } = useConsole();
  return (
    <form method="post" action={base + action} {...rest}>
      <input type="hidden" name="formToken" value={session.formToken} />
      {children}
    </form>
  );
}
