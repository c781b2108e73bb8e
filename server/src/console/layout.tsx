import type { Child } from 'hono/jsx';
import type { Session } from './context.js';

/** The pages that the head of every page leads to, in their order. */
const pages = [
  { path: '/console', title: 'Overview' },
  { path: '/console/orders', title: 'Orders' },
  { path: '/console/refused', title: 'Refused' },
  { path: '/console/setup', title: 'Setup' },
] as const;

/** Where a page stands in the head of the console. */
export type Place = (typeof pages)[number]['title'];

interface DocumentProps {
  title: string;
  /** The path that a proxy adds in front. */
  base: string;
  /** Scripts of the page, files below `assets/`. */
  scripts?: readonly string[] | undefined;
  /** The time zone that the page's times are in; its script reloads the page when the browser's is another. */
  zone?: string | undefined;
  children?: Child;
}

/** The frame of a page for people who are not signed in. */
export function Document({ title, base, scripts = [], zone, children }: DocumentProps) {
  const assets = `${base}/console/assets`;
  return (
    <html lang="en" data-zone={zone}>
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
      <body>{children}</body>
    </html>
  );
}

interface PageProps extends DocumentProps {
  session: Session;
  here?: Place | undefined;
}

/** The frame of a page for people who are signed in: head, navigation, content. */
export function Page({ session, here, base, children, ...document }: PageProps) {
  return (
    <Document base={base} {...document}>
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
              <form method="post" action={`${base}/console/sign-out`} class="inline">
                <FormToken session={session} />
                <button type="submit" class="outline secondary small">
                  Sign out
                </button>
              </form>
            </li>
          </ul>
        </nav>
      </header>
      <main id="content" class="container">
        {children}
      </main>
    </Document>
  );
}

/** What every form of a signed-in page holds, so that no other site can post it. */
export function FormToken({ session }: { session: Session }) {
  return <input type="hidden" name="formToken" value={session.formToken} />;
}
