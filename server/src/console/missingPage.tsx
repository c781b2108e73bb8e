import { type NavLink, sitePage } from './parts/sitePage.js';

/** Returns the HTML of the page that a browser gets for an address that does not exist. */
export function missingPage(shown: {
  root: string;
  navLinks: readonly NavLink[];
  requestId: string;
}): string {
  const { requestId, ...header } = shown;
  const all = [{ title: 'Console', path: '/console' }, ...header.navLinks];
  return sitePage({
    ...header,
    title: 'No such page',
    children: (
      <main id="content" class="narrow">
        <section class="panel">
          <header>
            <h1>There is no such page</h1>
          </header>
          <div class="body stack">
            <p>The address may be misspelt, or what it led to is gone. On this server there are:</p>
            <ul>
              {all.map(({ title, path }) => (
                <li>
                  <a href={header.root + path}>{title}</a>
                </li>
              ))}
            </ul>
            <small>
              Request <code>{requestId}</code>
            </small>
          </div>
        </section>
      </main>
    ),
  });
}
