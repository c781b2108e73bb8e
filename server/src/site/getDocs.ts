import type { Handler } from 'hono';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';
import { replyFile } from '../http/replyFile.js';
import { ApiError } from '../values/errors.js';
import { createDocsFiles } from './docsFiles.js';

/** Nothing from other sites and no framing, because people paste keys here. Swagger UI's icons are data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /docs`: shows `/openapi.json` as a page, with a form that sends its requests with the reader's key. */
export function getDocs(): Handler<AppEnv> {
  return function getDocs(c) {
    Object.assign(c.get('headers'), {
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'same-origin',
    });
    return reply(c, 200, page, 'text/html; charset=utf-8');
  };
}

/** `GET /docs/<file>`: the scripts and styles of the docs page. */
export function getDocsFile(): Handler<AppEnv> {
  const find = createDocsFiles();
  return async function getDocsFile(c) {
    const name = c.req.param('file')!;
    if (name === 'start.js') {
      c.get('headers')['Cache-Control'] = 'no-cache';
      return reply(c, 200, start, 'text/javascript; charset=utf-8');
    }
    const file = await find(name);
    if (!file) throw new ApiError('not_found');
    return replyFile(c, file);
  };
}

// Every address is relative, so that the page also works behind a proxy that adds a path.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API · Orderbeacon</title>
<link rel="icon" href="console/assets/icon.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="console/assets/docs.css">
</head>
<body>
<header><nav aria-label="Orderbeacon"><ul>
<li><strong>Orderbeacon</strong> API</li>
<li><a href="console">Console</a></li>
<li><a href="openapi.json">openapi.json</a></li>
</ul></nav></header>
<main id="docs">Loading …</main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Requests go to the page's own origin, not to the public URL: key routes answer no CORS.
const start = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
async function start() {
  const answer = await fetch('openapi.json');
  const spec = await answer.json();
  spec.servers = [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }];
  SwaggerUIBundle({ spec, dom_id: '#docs', validatorUrl: null, tryItOutEnabled: true, deepLinking: true });
}
start().catch((error) => {
  document.getElementById('docs').textContent = 'The document could not be loaded: ' + error.message;
});
`;
