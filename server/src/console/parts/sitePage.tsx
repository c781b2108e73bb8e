import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Header } from './header.js';
import { Mark } from './mark.js';

/** A page outside the console. The header of every page links to it. */
export interface NavLink {
  title: string;
  /** Path of the page on this server, such as `/docs`. */
  path: string;
  /** Set if guides are served below the path. If no link has this, no page links to a guide. */
  isOfGuides?: boolean;
}

/** Finds the path that guides are served below; null if this server has none. */
export function guidesPath(navLinks: readonly NavLink[]): string | null {
  return navLinks.find(({ isOfGuides }) => isOfGuides)?.path ?? null;
}

/** Links in the header of a page. */
interface HeaderProps {
  /** Text before every path of this server: a path that a proxy adds, or a relative one such as `..`. */
  root: string;
  navLinks: readonly NavLink[];
  /** Path of the link that leads to this page. */
  here?: string;
}

/** The header of all pages without a team: the logo, and links to other pages of the server. */
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

/** A page without a team. Paths of its files are those of this server, such as `/docs/assets/pages.css`. */
interface SitePage extends HeaderProps {
  title: string;
  /** The style sheet of plain elements, before all others. Default: Pico. */
  ground?: string;
  styles?: readonly string[];
  scripts?: readonly string[];
  /** Nonce of the page's scripts and styles, if its Content-Security-Policy requires one. */
  nonce?: string;
  /** More elements of the page's head. */
  head?: Child;
  /** Elements below the header. One of them is a `main` with the id `content`. */
  children: Child;
}

/** Writes a page without a team. It has the console's header, colours and buttons. */
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
