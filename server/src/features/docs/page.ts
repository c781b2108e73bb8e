import { html, raw } from 'hono/html';
import { byGroup, type GuideDocument } from './documents.js';
import { headingsOf } from './headingIds.js';
import { relativeAddress } from './links.js';

/** Contents of a page: its address, its title and its HTML. Its Markdown has the same address with `.md`. */
interface PageContent {
  address: string;
  title: string;
  content: string;
}

/** Writes a page of the documentation around its content. */
export function page({ address, title, content }: PageContent, documents: GuideDocument[]): string {
  const to = (target: string) => relativeAddress(address, target);
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Orderbeacon</title>
<link rel="alternate" type="text/markdown" href="${to(`${address}.md`)}">
<link rel="icon" href="${to('console/assets/icon.svg')}">
<link rel="stylesheet" href="${to('console/assets/pico.min.css')}">
<link rel="stylesheet" href="${to('console/assets/site.css')}">
<link rel="stylesheet" href="${to('docs/assets/pages.css')}">
<script defer src="${to('console/assets/console.js')}"></script>
<script defer src="${to('docs/assets/pages.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="container">
<nav aria-label="Orderbeacon"><ul>
<li><strong>Orderbeacon</strong></li>
<li><a href="${to('docs')}">Contents</a></li>
<li><a href="${to('docs/api')}">API reference</a></li>
<li><a href="${to('console')}">Console</a></li>
<li><a href="${to(`${address}.md`)}">Markdown</a></li>
</ul></nav>
<form role="search" action="${to('docs')}"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search"></form>
</header>
<div class="container beside">
<main id="content">
${raw(content)}
</main>
<nav aria-label="Contents">
${byGroup(documents).map(({ group, ofGroup }) => groupList(group, ofGroup, address))}
</nav>
</div>
</body>
</html>
`}`;
}

function groupList(group: string, ofGroup: GuideDocument[], here: string) {
  return html`<p><strong>${group}</strong></p>
<ul>
${ofGroup.map(
  ({ address, title }) =>
    html`<li><a href="${relativeAddress(here, address)}"${address === here ? raw(' aria-current="page"') : ''}>${title}</a></li>\n`,
)}</ul>\n`;
}

/** Writes the headings of a long document as a list of links, to stand below its title. */
export function pageHeadings(text: string): string {
  const headings = headingsOf(text, 2);
  if (headings.length < 4) return '';
  return `${html`<nav aria-label="On this page"><ul>
${headings.map(({ title, id }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>\n`}`;
}
