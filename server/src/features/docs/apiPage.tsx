import { type NavLink, sitePage } from '../../console/parts/sitePage.js';

/**
 * Writes the page that shows `/openapi.json`. It uses the style sheet of Swagger UI instead of Pico's, which would
 * break it.
 */
export const apiPage = (navLinks: readonly NavLink[]): string =>
  sitePage({
    root: '..',
    navLinks,
    here: '/docs/api',
    title: 'API reference',
    ground: '/docs/assets/swagger-ui.css',
    styles: ['/docs/assets/api.css'],
    scripts: ['/docs/assets/swagger-ui-bundle.js', '/docs/assets/api.js'],
    children: (
      <>
        <div id="content" class="page">
          <p>Loading …</p>
        </div>
        <footer>
          <small>
            <a href="../openapi.json">openapi.json</a>
          </small>
        </footer>
      </>
    ),
  });
