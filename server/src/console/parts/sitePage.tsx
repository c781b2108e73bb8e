import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Header } from './header.js';
import { Mark } from './mark.js';

/** A page outside the console that the header of every page links to. */
export interface NavLink {
  title: string;
  /** Its path on this server, such as `/docs`. */
  path: string;
  /** Set if guides are served below the path. Without such a link no page links to a guide. */
  isOfGuides?: boolean;
}

/** Finds the path that guides are served below; null if none are. */
export function guidesPath(navLinks: readonly NavLink[]): string | null {
  return navLinks.find(({ isOfGuides }) => isOfGuides)?.path ?? null;
}

/** What the header of a page leads to. */
interface HeaderProps {
  /** What stands before every path of this server: a path that a proxy adds, or a relative one such as `..`. */
  root: string;
  navLinks: readonly NavLink[];
  /** The path of the link that the page is of. */
  here?: string;
}

/** The header of all pages that are of no team: the mark, and links to the rest of the server. */
export function SiteHeader({ root, navLinks, here }: HeaderProps) {
  return (
    <Header>
      <a class="logo" href={`${root}/console`}>
        <Mark />
        <strong>Orderbeacon</strong>
      </a>
      <nav class="ways" aria-label="Orderbeacon">
        {[{ title: 'Console', path: '/console' }, ...navLinks].map(({ title, path }) => (
          <a href={root + path} aria-current={path === here ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
    </Header>
  );
}

/** A page of no team. Paths of files are of this server, such as `/docs/assets/pages.css`. */
interface SitePage extends HeaderProps {
  title: string;
  /** The style sheet of bare elements, which all others are additions to; default: Pico. */
  ground?: string;
  styles?: readonly string[];
  scripts?: readonly string[];
  /** What its policy asks of its scripts and styles, where it has one. */
  nonce?: string;
  /** More of its head. */
  head?: Child;
  /** What comes below the header: one `main` with the id `content`, and what stands beside it. */
  children: Child;
}

/** Writes a page of no team: the same header, colours and buttons as the console's. */
export function sitePage({
  title,
  ground = '/console/assets/pico.min.css',
  styles = [],
  scripts = [],
  nonce,
  head,
  children,
  ...header
}: SitePage): string {
  const { root } = header;
  return String(
    html`<!doctype html>${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} · Orderbeacon`}</title>
          <link rel="icon" href={`${root}/console/assets/icon.svg`} />
          {[ground, '/console/assets/look.css', ...styles].map((path) => (
            <link nonce={nonce} rel="stylesheet" href={root + path} />
          ))}
          {head}
          {scripts.map((path) => (
            <script defer nonce={nonce} src={root + path}></script>
          ))}
        </head>
        <body>
          <SiteHeader {...header} />
          {children}
        </body>
      </html>
    )}`,
  );
}
