import { raw } from 'hono/html';
import { type NavLink, sitePage } from '../../console/parts/sitePage.js';
import { byGroup, type GuideDocument } from './documents.js';
import { headingsOf } from './headingIds.js';
import { relativeAddress } from './links.js';

/** Address, title and HTML of a page. Its Markdown has the same address with `.md`. */
interface PageContent {
  address: string;
  title: string;
  content: string;
}

/**
 * Returns the relative path from an address of the documentation to the server's root. Relative, because a proxy may
 * add a path.
 */
const rootFrom = (address: string) => relativeAddress(address, '.');

/**
 * Writes a page of the documentation around its content.
 * @param documents the documents in its contents; empty for the list of all documents, which has no contents
 */
export function page(
  { address, title, content }: PageContent,
  documents: readonly GuideDocument[],
  navLinks: readonly NavLink[],
): string {
  const to = (target: string) => relativeAddress(address, target);
  return sitePage({
    root: rootFrom(address),
    navLinks,
    here: '/docs',
    title,
    styles: ['/docs/assets/pages.css'],
    scripts: ['/console/assets/console.js', '/docs/assets/pages.js'],
    head: <link rel="alternate" type="text/markdown" href={to(`${address}.md`)} />,
    children: (
      <>
        <div class="page beside">
          <search>
            <form action={to('docs')}>
              <input type="search" name="q" aria-label="Search the documentation" placeholder="Search" />
            </form>
          </search>
          <main id="content">{raw(content)}</main>
          {documents.length > 0 && (
            <nav class="contents" aria-label="Contents">
              {byGroup(documents).map(({ group, ofGroup }) => (
                <>
                  <p>{group}</p>
                  <ul>
                    {ofGroup.map((each) => (
                      <li>
                        <a
                          href={to(each.address)}
                          aria-current={each.address === address ? 'page' : undefined}
                        >
                          {each.title}
                        </a>
                      </li>
                    ))}
                  </ul>
                </>
              ))}
            </nav>
          )}
        </div>
        <footer>
          <small>
            <a href={to(`${address}.md`)}>This page as Markdown</a>
          </small>
        </footer>
      </>
    ),
  });
}

/** Writes the headings of a long document as a list of links, to put below its title. */
export function pageHeadings(text: string): string {
  const headings = headingsOf(text, 2);
  if (headings.length < 4) return '';
  return String(
    <nav aria-label="On this page">
      <ul>
        {headings.map(({ title, id }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>,
  );
}
