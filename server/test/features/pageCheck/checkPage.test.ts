import { createHash } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { Check } from '../../../src/commands/check.js';
import { createFetchText } from '../../../src/commands/fetchText.js';
import { stub, tagHtml } from '../../../src/core/script/tag.js';
import { checkPage } from '../../../src/features/pageCheck/checkPage.js';
import type { PageContext } from '../../../src/features/pageCheck/pageContext.js';
import { commandFixes } from '../../../src/features/pageCheck/pageFixes.js';
import { collectGarbage } from '../../kit/collectGarbage.js';
import { startHttp } from '../../kit/http.js';

const publicUrl = 'https://orders.example';
const orders = '/svc-api/v1/orders';
const page = 'https://shop.example/thanks';
const script = 'window.track = () => {};';
const pinnedTo = {
  version: '0.0.2',
  integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
};

/** The answer of a URL. */
interface Answered {
  status?: number;
  headers?: Record<string, string>;
  text?: string;
}

/** Answers of all hosts, by URL. A text is a page. Every other URL answers 404. */
type Web = Record<string, string | Answered>;

const served = { headers: { 'content-type': 'text/javascript' }, text: script };
const refused = { status: 405, text: '{"error":{"code":"method_not_allowed"}}' };
const serverAt = (url: string): Web => ({ [`${url}/sdk/track.js`]: served, [url + orders]: refused });
const server: Web = { ...serverAt(publicUrl), [`${publicUrl}/sdk/0.0.2/track.js`]: served };

/** Checks a page. Resolves with the names of failed checks, a function that finds a check, and the requested URLs. */
async function look(web: Web, { url = page, ...more }: Partial<PageContext> & { url?: string } = {}) {
  const asked: string[] = [];
  const checks = await checkPage(url, {
    async fetchText(address) {
      asked.push(address);
      const given = { ...server, ...web }[address] ?? { status: 404 };
      const answered: Answered = typeof given === 'string' ? { text: given } : given;
      const { status = 200, headers = {}, text = '' } = answered;
      return { status, headers: new Headers(headers), text };
    },
    fixes: commandFixes,
    publicUrl,
    teamId: null,
    domainsOf: async (id) =>
      ({
        team_a: [{ domain: 'shop.example', isTest: false }],
        team_b: [{ domain: 'shop.example', isTest: false }],
        team_other: [{ domain: 'other.example', isTest: false }],
      })[id] ?? null,
    lastOrderOf: async () => null,
    ...more,
  });
  return {
    faults: checks.filter(({ ok }) => !ok).map(({ check }) => check),
    of: (name: string) => checks.find(({ check }) => check === name) as Check,
    asked,
  };
}

/** Writes both pieces as they are printed. */
const printed = (more: Partial<Parameters<typeof tagHtml>[0]> = {}) =>
  tagHtml({ publicUrl, teamId: 'team_a', ...more });
/** Writes both pieces, with an order that the shop has filled in. */
const tag = (more: Parameters<typeof printed>[0] = {}) =>
  printed(more).replace(
    /track\('order', .*\)/,
    "track('order', { email: 'ann@buyer.example', amount: 5, orderId: 'A-1' })",
  );
const pinned = tag({ pinnedTo });
const second = tag({ teamId: 'team_b' }).replace('<script async', '<script async data-global="second"');

it.each<[string, string, string?]>([
  ['the tag', tag()],
  ['a pinned tag', pinned],
  ['a pinned tag without crossorigin that is a module', pinned.replace(/ crossorigin="\w+"/, ' type=module')],
  ['the tags of two teams, each with a global name of its own', tag() + second, 'team_a'],
  ['the tags of two teams, of which the other one is looked for', tag() + second, 'team_b'],
])('a page with %s has no fault', async (_, html, teamId = 'team_a') => {
  expect((await look({ [page]: html }, { teamId })).faults).toEqual([]);
});

it.each<[string, string, string, RegExp, string?]>([
  ['without the tag', '<p>Thanks!</p>', 'tag', /^The HTML of the page has no tag of Orderbeacon\.$/],
  ['with the tag twice', tag() + tag(), 'tag', /^The page has 2 tags of Orderbeacon\.$/],
  ['with two tags of one global name', tag() + second + second, 'tag', /^The page has 3 tags/],
  ['with a tag of no team', tag().replace(/ data-team-id="\w+"/, ''), 'tag', /^The tag names no team\.$/],
  ['with the tag of another team', tag(), 'tag', /^The tag names the team team_a, not team_b\.$/, 'team_b'],
  [
    'with a tag that waits for consent',
    tag().replace('<script async', '<script type="text/plain"'),
    'tag',
    /consent/,
  ],
  ['of a name in place of the id', tag({ teamId: 'my-shop' }), 'tag', /^“my-shop” is no team’s id/],
  ['of a team that is none', tag({ teamId: 'team_…' }), 'tag', /"team_…", which does not exist/],
  ['on a host that is not allowed', tag({ teamId: 'team_other' }), 'host', /^shop\.example is not among/],
  [
    'whose script is not there',
    tag().replace('/track.js', '/9.9.9/track.js'),
    'script',
    /9\.9\.9.* answers 404/,
  ],
  ['whose script is another one', pinned.replace(/sha384-./, 'sha384-_'), 'script', /browsers refuse it/],
  [
    'with integrity alone',
    pinned.replace(/ crossorigin="\w+"/, ''),
    'script',
    /^The tag has integrity without crossorigin/,
  ],
])('a page %s has this one fault', async (_, html, fault, message, teamId) => {
  const { faults, of } = await look({ [page]: html }, { teamId: teamId ?? null });
  expect([faults, of(fault).message]).toEqual([[fault], expect.stringMatching(message)]);
});

it.each<[string | null, string]>([
  [null, 'Setup prints, or this: node_modules/.bin/orderbeacon team list'],
  ['team_b', 'node_modules/.bin/orderbeacon tag --team team_b prints it.'],
])(
  'a tag of an unknown team, where %s is looked for, is to be pasted again, and no domain allowed',
  async (teamId, fix) => {
    const { of } = await look({ [page]: tag({ teamId: 'team_unknown' }) }, { teamId });
    expect(of('tag').fix).toContain(fix);
    expect(of('host')).toBeUndefined();
  },
);

it.each([
  ['shop.example', 'shop.example'],
  ['localhost', '--test localhost'],
])('the host %s, where it is not allowed, gets the very command that allows it', async (host, words) => {
  const url = `http://${host}/thanks`;
  const { of } = await look({ [url]: tag({ teamId: 'team_other' }) }, { url });
  expect(of('host').fix).toBe(`node_modules/.bin/orderbeacon domain add --team team_other ${words}`);
});

it.each([
  ['data-endpoint="/orders/"', `Reports go to https://shop.example/orders${orders}.`, true],
  ['data-endpoint="/other"', `https://shop.example/other${orders} answers 404, and not as this server does.`],
  ['', `https://shop.example${orders} answers 404, and not as this server does.`],
  ['data-endpoint="orders.example"', 'The tag’s data-endpoint is neither a URL with https:// nor a path.'],
  [
    'data-endpoint="https://old.example"',
    `Reports go to https://old.example, but the server’s address is ${publicUrl}.`,
  ],
])(
  'reports of a tag behind the shop’s own host, with %s, are followed',
  async (endpoint, message, ok = false) => {
    const proxied = serverAt('https://shop.example/orders');
    const html = `<script src="/orders/sdk/track.js" data-team-id="team_a" ${endpoint}></script>`;
    const { faults, of } = await look({ ...proxied, [page]: html });
    expect([faults, of('endpoint').message]).toEqual([ok ? [] : ['endpoint'], message]);
  },
);

/** Both pieces on one page. Tools change the second one. */
const whole = tag();
const stubText = stub();
const [head = '', secondPiece = ''] = whole.split(/(?=<script>\n)/);
const without = (start: string) => whole.replace(new RegExp(`^${start}.*\n`, 'm'), '');
const callLine = /^track\('order'.*$/m.exec(whole)![0];

it.each<[string, string]>([
  ['lets && be &#038;&#038;', head + secondPiece.replaceAll('&&', '&#038;&#038;')],
  ['lets && be &amp;&amp;', head + secondPiece.replaceAll('&&', '&amp;&amp;')],
  ['makes quotes curly', head + secondPiece.replaceAll("'", '’')],
  ['makes quotes of the stub curly', head + secondPiece.replace(/"([^"]*)"/g, '“$1”')],
  ['puts <br /> at the ends of lines', head + secondPiece.replaceAll('\n', '<br />\n')],
  ['puts paragraphs into the script', head + secondPiece.replace('\ntrack', '</p>\n<p>track')],
  ['lower-cases the script', head + secondPiece.toLowerCase()],
  ['lower-cases the stub', head + secondPiece.replace(stubText, stubText.toLowerCase())],
  ['cuts the stub', head + secondPiece.replace('.getRandomValues(new Uint32Array(2)).join("")', '')],
  ['puts the call first', `${head}<script>${callLine}</script>${secondPiece.replace(callLine, '')}`],
  ['puts the call first in the same script', `${head}<script>${callLine}${stubText}</script>`],
  [
    'puts the call first, where it is called at once',
    `${head}<script>(function () { ${callLine} })()</script><script>${stubText}</script>`,
  ],
  [
    'makes the stub a module',
    `${head}<script type="module">${stubText}</script><script>${callLine}</script>`,
  ],
  ['drops the stub', without('!function')],
  ['takes the script’s tags away', head + secondPiece.replace(/<\/?script>/g, '')],
  ['escapes the script’s tags', head + secondPiece.replace(/<(\/?script)>/g, '&lt;$1&gt;')],
  ['has an order that is no JavaScript', head + secondPiece.replace('ann@', "d'arcy@")],
  [
    'waits for consent',
    head + secondPiece.replace('<script>', '<script type="text/plain" data-cookieconsent="statistics">'),
  ],
  ['delays the script', head + secondPiece.replace('<script>', '<script type="rocketlazyloadscript">')],
  [
    'delays the script in another way',
    head + secondPiece.replace('<script>', '<script type="litespeed/javascript">'),
  ],
  ['gives the stub another name than the tag', head + secondPiece.replace('("track")', '("report")')],
  [
    'gives the tag another name than the stub',
    whole.replace('<script async', '<script data-global="report" async').replace("\ntrack('", "\nreport('"),
  ],
  ['has a name of its own', `<script>const track = (event) => gtag('event', event)</script>${whole}`],
  ['has a function of its own', `<script>function track(event) { log(event) }</script>${whole}`],
  [
    'writes the order with HTML escapes',
    `${head}<script type="application/json" id="orderbeacon-order">{&quot;email&quot;:&quot;a@b.example&quot;}</script>${secondPiece}`,
  ],
])('a page that %s has this fault alone: the order', async (_, html) => {
  const { faults, of } = await look({ [page]: html });
  expect([faults, of('order')?.fix]).toEqual([['order'], expect.stringMatching(/\w/)]);
});

const dataBlock = (json: string) =>
  head +
  secondPiece
    .replace('<script>', `<script type="application/json" id="orderbeacon-order">${json}</script><script>`)
    .replace(
      callLine,
      "track('order', JSON.parse(document.getElementById('orderbeacon-order').textContent))",
    );
const withOrder = (order: string) => whole.replace(callLine, `track('order', ${order})`);

it.each<[string, string]>([
  ['as it was printed', printed()],
  ['with the id alone filled in', printed().replace("'1001'", "'A-7'")],
  ['in its quotes of another kind', printed().replaceAll("'", '"')],
  [
    'in a variable',
    whole.replace(
      callLine,
      "var order = { email: 'ann@shop.example', orderId: '1001' };\ntrack('order', order)",
    ),
  ],
  [
    'in the data block of the recipe',
    dataBlock('{"email":"ann@shop.example","amount":"49.90","orderId":"1001"}'),
  ],
])('the printed example on a page, %s, is a fault of the order that names it', async (_, html) => {
  const { faults, of } = await look({ [page]: html });
  expect([faults, of('order').message]).toEqual([
    ['order'],
    'The page reports the printed example, the order of ann@shop.example.',
  ]);
});

it.each<[string, string, string, string]>([
  [
    'of Liquid in quotes',
    withOrder("{ email: '{{ checkout.email }}', amount: 5 }"),
    '{{ checkout.email }}',
    'Liquid',
  ],
  [
    'of Liquid without quotes',
    withOrder('{ email: "a@b.example", amount: {{ checkout.total | money }} }'),
    '{{ checkout.total | money }}',
    'Liquid',
  ],
  [
    'of Liquid in a variable',
    whole.replace(callLine, `var mail = '{{ order.email }}';\n${callLine}`),
    '{{ order.email }}',
    'Liquid',
  ],
  [
    'of Liquid in a variable without quotes',
    whole.replace(callLine, `var total = {{ order.total }};\n${callLine}`),
    '{{ order.total }}',
    'Liquid',
  ],
  ['of Twig', withOrder("{ orderId: '{% if order %}1{% endif %}' }"), '{% if order %}', 'Twig'],
  ['of PHP', withOrder("{ email: '<?= $order->email ?>' }"), '<?= $order->email ?>', 'PHP'],
  [
    'of PHP without quotes',
    withOrder('<?php echo json_encode($order); ?>'),
    '<?php echo json_encode($order); ?>',
    'PHP',
  ],
  ['of ERB', withOrder('{ email: "<%= order.email %>" }'), '<%= order.email %>', '.erb'],
  [
    'of JavaScript in plain quotes',
    withOrder("{ email: '\u0024{order.email}' }"),
    '\u0024{order.email}',
    'backticks',
  ],
  ['of a shop system', withOrder("{ orderId: '%ORDER_ID%' }"), '%ORDER_ID%', 'the shop system'],
  ['of Smarty', withOrder("{ email: '{$customer.email}' }"), '{$customer.email}', 'Smarty'],
  ['of Blade', withOrder("{ email: '{!! $order->email !!}' }"), '{!! $order->email !!}', 'Blade'],
  ['of PHP in plain quotes', withOrder("{ orderId: '$order_id' }"), '$order_id', 'PHP'],
  ['of Razor', withOrder("{ orderId: '@Model.OrderId' }"), '@Model.OrderId', 'the server'],
  ['of a route', withOrder("{ email: ':email' }"), ':email', 'the server'],
  ...[
    '#ORDER_ID#',
    '%%GLOBAL_OrderId%%',
    '%%=v(@orderId)=%%',
    '%order_id%',
    '%ORDER1%',
    '*|ORDER_ID|*',
    '#{order.id}',
    '%{order_id}',
  ].map((text): [string, string, string, string] => [
    `of a system that fills in ${text}`,
    withOrder(`{ orderId: '${text}' }`),
    text,
    'the shop system',
  ]),
  ['in brackets', withOrder('{ orderId: "[[order.id]]" }'), '[[order.id]]', 'the server'],
  ['as a whole value in brackets', withOrder('{ orderId: "[order_id]" }'), '[order_id]', 'the shop system'],
  ['in the data block', dataBlock('{"email":"{{ order.email }}"}'), '{{ order.email }}', 'Liquid'],
])('a template %s that nobody filled in is named, and who fills it in', async (_, html, text, filledBy) => {
  const { faults, of } = await look({ [page]: html });
  expect([faults, of('order').message, of('order').fix]).toEqual([
    ['order'],
    `The order on the page is a template that nobody filled in: ${text}`,
    expect.stringContaining(filledBy),
  ]);
});

it.each<[string, string]>([
  ['backticks', withOrder('{ email: `\u0024{"ann"}@buyer.example`, amount: 5 }')],
  [
    'arrays',
    withOrder(
      '{ items: [[1, 2]], rest: 7%3, half: 100 % 7, name: "100% cotton, 5% off", size: "%", id: "__STATE__", tag: "#sale#1", at: "@anna", of: ":root" }',
    ),
  ],
  ['blocks', withOrder('{ items: [{a:{b:{c:1}}}] }').replace(callLine, `{{var a=1}}${callLine}`)],
  [
    'a template for the browser in another script',
    `<script>Vue.createApp({ template: '<p>{{ name }}</p>' })</script>${whole}`,
  ],
  [
    'a program with templates of its own',
    `${head}<script>${stubText};${callLine};var t = '{{ name }}';${'x();'.repeat(2_500)}</script>`,
  ],
])('an order with %s is no template', async (_, html) => {
  expect((await look({ [page]: html })).faults).toEqual([]);
});

it.each<[string, string]>([
  [
    'minified again',
    whole.replace(stubText, stubText.replace(/\bn\b/g, 'x').replace('function(e,i)', 'function (e, i)')),
  ],
  [
    'of Rocket Loader',
    whole.replaceAll('<script', '<script type="9f2c1d3e4b5a69788796a5b4-text/javascript"'),
  ],
  ['in CDATA', whole.replace('<script>', '<script>//<![CDATA[').replace(/\n<\/script>$/, '\n//]]></script>')],
  [
    'whose call stands in a function before the stub',
    `<script>function thanks() { if (paid) { ${callLine} } }</script>${whole}`,
  ],
  ['whose call waits for a click before the stub', `<script>$(function () { ${callLine} })</script>${whole}`],
  [
    'whose theme uses the name in functions of its own',
    `<script>function shop() { const track = 1; var a = "}" }</script>${whole}`,
  ],
  [
    'whose theme takes the function as it is',
    `<script>const track = window.track</script>${head}<script>${stubText}</script>`,
  ],
  ['whose other scripts are templates', `<script type="text/template"><p>track</p></script>${whole}`],
])('a page %s has no fault', async (_, html) => {
  expect((await look({ [page]: html })).faults).toEqual([]);
});

it.each<[string, string]>([
  ['without the second piece', head],
  ['with the stub alone', `${head}<script>${stubText}</script>`],
  ['with a call that is a comment', `${head}<script>${stubText}\n// ${callLine}\n/* ${callLine} */</script>`],
  ['with a call in a comment of the page', `${head}<!-- ${secondPiece} -->`],
])('a page %s reports no order, and the check says so', async (_, html) => {
  const { faults, of } = await look({ [page]: html });
  expect([faults, of('order')]).toMatchObject([
    [],
    {
      ok: true,
      message: "This page reports no order: its HTML has no track('order', …).",
      fix: expect.stringMatching(/confirmation page/),
    },
  ]);
});

it.each<[string, string]>([
  ['type="rocketlazyloadscript" data-rocket-src', 'its address is in data-rocket-src'],
  ['type="litespeed/javascript" data-src', 'its address is in data-src'],
  ['type="text/plain" src', 'its type is text/plain'],
  ['type="pmdelayedscript" src', 'its type is pmdelayedscript'],
  ['nomodule src', 'its type is nomodule'],
])('a tag with %s does not run, and the check says why', async (attribute, why) => {
  const { faults, of } = await look({ [page]: whole.replace('async src', attribute) });
  expect([faults, of('tag').message]).toEqual([['tag'], expect.stringContaining(why)]);
});

const nonced = whole.replaceAll('<script', '<script nonce="n1"');
const hashOf = (html: string) => {
  const [, text = ''] = /<script>(\n!function[\s\S]*?)<\/script>/.exec(html)!;
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
};
const open = `script-src 'self' ${publicUrl} 'unsafe-inline'`;

it.each<[string, string, string?]>([
  ['that names all', `default-src 'none'; script-src ${publicUrl} 'unsafe-inline'; connect-src ${publicUrl}`],
  ['that names schemes', `default-src https: 'unsafe-inline'`],
  ['that names a star', `default-src * 'unsafe-inline'`],
  ['that names sub-domains', `script-src *.example 'unsafe-inline'; connect-src https://*.example:443`],
  ['of other directives', `img-src 'self'; frame-ancestors 'none'; upgrade-insecure-requests`],
  ['that names the paths', `script-src ${publicUrl}/sdk/ 'unsafe-inline'; connect-src ${publicUrl}${orders}`],
  ['with a nonce', `script-src 'nonce-n1'; connect-src ${publicUrl}`, nonced],
  ['with a nonce, strict', `script-src 'nonce-n1' 'strict-dynamic' https: 'unsafe-inline'`, nonced],
  ['with the hash of the script', `script-src ${publicUrl} ${hashOf(whole)}`],
  [
    'that decides by the more exact directive',
    `script-src 'none'; script-src-elem ${publicUrl} 'unsafe-inline'`,
  ],
  ['that names a directive twice, of which the first counts', `${open}; script-src 'none'`],
  [
    'with the tag’s hash',
    `script-src 'unsafe-inline' '${pinnedTo.integrity}'; default-src *`,
    pinned.replace(/<script>[\s\S]*<\/script>/, ''),
  ],
  [
    'that allows the page’s own host, where the tag is',
    `default-src 'self' 'unsafe-inline'`,
    `<script src="/p/sdk/track.js" data-team-id="team_a" data-endpoint="/p"></script>`,
  ],
])('a policy %s lets the script through', async (_, policy, html = whole) => {
  const own = serverAt('https://shop.example/p');
  const headers = { 'content-security-policy': policy };
  const { faults, of } = await look({ ...own, [page]: { headers, text: html } });
  expect([faults, of('policy').message]).toEqual([[], expect.stringContaining('lets the script')]);
});

const nonces = "Write in the policy: script-src 'self' https://orders.example 'nonce-…';";
it.each<[string, string, string, string?]>([
  [
    'of the script',
    `script-src 'self' 'unsafe-inline'`,
    `Write in the policy: script-src 'self' 'unsafe-inline' ${publicUrl};`,
  ],
  ['of the reports', `${open}; connect-src 'self'`, `Write in the policy: connect-src 'self' ${publicUrl};`],
  ['of the inline scripts', `script-src 'self' ${publicUrl}`, nonces],
  ['that voids unsafe-inline by a nonce', `${open} 'nonce-n1'`, 'Give that script the policy’s nonce'],
  ['that voids unsafe-inline by a hash', `${open} 'sha256-AAAA'`, "'nonce-…'"],
  [
    'that is strict, and the tag has no nonce',
    `script-src 'nonce-n1' 'strict-dynamic' https:`,
    'Give the tag the policy’s nonce',
    nonced.replace('nonce="n1" async', 'async'),
  ],
  ['with another nonce', `script-src 'nonce-n2'`, 'Give the tag the policy’s nonce', nonced],
  [
    'of default-src',
    `default-src 'self' 'unsafe-inline'`,
    `Write in the policy: script-src 'self' 'unsafe-inline' ${publicUrl}; Write in the policy: connect-src 'self' 'unsafe-inline' ${publicUrl};`,
  ],
  [
    'of the more exact directive',
    `${open}; script-src-elem 'self'`,
    `Write in the policy: script-src-elem 'self' ${publicUrl} 'nonce-…';`,
  ],
  ['of nothing at all', `default-src 'none'`, `Write in the policy: script-src ${publicUrl} 'nonce-…';`],
  ['of another port', `${open.replace(publicUrl, `${publicUrl}:8443`)}`, publicUrl],
  ['of another path', `${open.replace(publicUrl, `${publicUrl}/other/`)}`, publicUrl],
  ['of the sub-domains alone', `${open.replace(publicUrl, 'https://*.orders.example')}`, publicUrl],
  ['of http alone', `${open.replace(publicUrl, 'ws://orders.example')}`, publicUrl],
  ['of two, of which one blocks', `${open}, ${open}; connect-src 'self'`, `connect-src 'self' ${publicUrl};`],
  [
    'of a sandbox',
    'sandbox allow-forms',
    'Write in the policy: sandbox allow-forms allow-scripts allow-same-origin;',
  ],
])('a policy %s is a fault, with the directive that is to be there', async (_, policy, fix, html = whole) => {
  const headers = { 'content-security-policy': policy };
  const { faults, of } = await look({ [page]: { headers, text: html } });
  expect([faults, of('policy').fix]).toEqual([['policy'], expect.stringContaining(fix)]);
});

const meta = (policy: string) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
it.each<[string, string, Record<string, string>, string[]]>([
  ['in a meta element', meta(`connect-src 'none'`) + whole, {}, ['policy']],
  [
    'in a meta element beside a header that allows',
    meta(`script-src 'none'`) + whole,
    { 'content-security-policy': open },
    ['policy'],
  ],
  ['in a meta element behind the scripts', whole + meta(`script-src 'none'`), {}, []],
  [
    'in a meta element of the body, which browsers ignore',
    `<body>${meta(`script-src 'none'`)}${whole}`,
    {},
    [],
  ],
  ['with a sandbox in a meta element, which browsers ignore', meta('sandbox') + whole, {}, []],
  ['that reports alone', whole, { 'content-security-policy-report-only': `default-src 'none'` }, []],
])('a policy %s counts as in browsers', async (_, text, headers, expected) => {
  expect((await look({ [page]: { headers, text } })).faults).toEqual(expected);
});

const to = (location: string) => ({ status: 302, headers: { location } });

it('a redirect is followed within the page’s host, and no other host is requested', async () => {
  const web = { [page]: to('/new'), 'https://shop.example/new': tag({ publicUrl: 'https://other.example' }) };
  const { of, asked } = await look(web);
  expect(of('page').message).toBe('https://shop.example/new answers 200.');
  expect(of('script').message).toContain('The tag loads from https://other.example, but');
  expect(asked).toEqual([page, 'https://shop.example/new']);
});

it.each([
  ['https://other.example/there', /^If that site is yours too: .* doctor https:\/\/other\.example\/there$/],
  ['https://shop.example:8443/', /doctor https:\/\/shop\.example:8443\/$/],
  [page, /^Open it in a browser\.$/],
  ['http://[', /^Correct the redirect/],
  ['https://shop.example:99999/', /^Correct the redirect/],
  ['javascript:alert(1)', /^Correct the redirect/],
  ['data:text/html,x', /^Correct the redirect/],
  ['file:///etc/passwd', /^Correct the redirect/],
])('a redirect to %s is not followed, and is a fault of the page', async (location, fix) => {
  const { faults, of, asked } = await look({ [page]: to(location) });
  expect([faults, of('page').fix]).toEqual([['page'], expect.stringMatching(fix)]);
  expect(new Set(asked)).toEqual(new Set([page]));
});

it('a page that answers 404 is a fault of the page', async () => {
  const { faults, of } = await look({});
  expect([faults, of('page').message]).toEqual([['page'], `${page} answers 404.`]);
});

it('a script without TLS, which browsers do not load on a page with TLS, is a fault', async () => {
  const plain = 'http://orders.example';
  const web = { ...serverAt(plain), [page]: tag({ publicUrl: plain }) };
  const { faults, of } = await look(web, { publicUrl: plain });
  const message = `${plain}/sdk/track.js has no TLS: browsers do not load it on this page.`;
  expect([faults, of('script').message]).toEqual([['script'], message]);
  const url = 'http://shop.example/thanks';
  expect((await look({ ...web, [url]: web[page]! }, { publicUrl: plain, url })).faults).toEqual([]);
});

it.each(['/*', '`', '"\\', '{', 'if(', '(', '=>', 'function(', '\n'])(
  'a script of 200,000 characters of %j, which was made to be slow, is judged once',
  { tags: ['all'] },
  async (part) => {
    const slow = `<script>${part.repeat(200_000 / part.length)};${callLine}${stubText}</script>`;
    expect((await look({ [page]: slow.repeat(5) })).of('page').ok).toBe(true);
  },
);

it('a page behind a user and a password is checked with those of its address', async () => {
  const { url } = await startHttp(({ headers }, response) => {
    response.statusCode =
      headers.authorization === `Basic ${Buffer.from('ann:p ä').toString('base64')}` ? 200 : 401;
    response.end(tag());
  });
  const { of } = await look(
    {},
    { url: url.replace('//', '//ann:p%20%C3%A4@'), fetchText: createFetchText() },
  );
  expect(of('page').ok).toBe(true);
});

it('a page that comes too slowly is given up, though garbage is collected meanwhile', async () => {
  const { url } = await startHttp((_, response) => void response.write('<html>'));
  // Node 20 loses the time limit of a signal that only `AbortSignal.any` holds, once garbage is collected.
  const collecting = setInterval(collectGarbage, 100);
  onTestFinished(() => clearInterval(collecting));
  const { of } = await look({}, { url, fetchText: createFetchText({ allWithinMs: 1_000 }) });
  expect(of('page').message).toBe(`${url} cannot be reached: no answer within 1 s.`);
});

it('an address with http: of a port that speaks TLS is named, with the address that answers', async () => {
  const url = 'http://shop.example:8443/thanks';
  const secure = url.replace('http:', 'https:');
  const { of, faults } = await look({ [url]: { status: 400 }, [secure]: tag() }, { url });
  expect(of('page')).toMatchObject({
    message: `Nothing answers in plain http at ${url}, but https does.`,
    fix: expect.stringMatching(new RegExp(`doctor ${secure}$`)),
  });
  expect(faults).toEqual(['page']);
  expect((await look({ [url]: { status: 404 }, [secure]: tag() }, { url })).of('page').message).toContain(
    '404',
  );
});
