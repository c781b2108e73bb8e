import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { features } from '../../src/app/features.js';
import { ensureDemoTeam } from '../../src/features/demo/demoTeam.js';
import { hookEvents } from '../../src/features/webhooks/hook.js';
import { addTestSource } from '../features/sources/kit/sources.js';
import { addTestHook } from '../features/webhooks/kit/hooks.js';
import { unescaped } from '../kit/html.js';
import { startTestServer, type TestServer } from '../kit/server.js';
import { openShop } from '../kit/shop.js';

const names = features.map(({ name }) => name);

describe('a server with all features', () => declareLinks(names));

describe('a server with no feature', () => declareLinks([]));

describe.each(names)('a server without %s', { tags: ['all'] }, (missing) =>
  declareLinks(names.filter((name) => name !== missing)),
);

function declareLinks(installed: readonly string[]) {
  // A cluster needs the statement that the feature `citus` has.
  const isIn = (name: string) => installed.includes(name) || (name === 'citus' && inject('isCitus'));
  let server: TestServer;
  beforeAll(async () => {
    const named = names.filter(isIn).join(',') || 'none';
    const env = { ORDERBEACON_RATE_LIMIT: 'off', ORDERBEACON_DEMO: 'on', ORDERBEACON_FEATURES: named };
    server = await startTestServer({ env });
  });
  afterAll(() => server.close());

  it('has no link that leads nowhere on any page', async () => {
    if (isIn('demo')) await ensureDemoTeam(server.sql, server.url);
    const shop = await openShop(server);
    const { id } = (await shop.report()).body.data;
    // An order with an invalid id, a refused report, and more data for which pages have texts.
    await shop.report({ orderId: '{{ order.id }}' });
    await shop.report({}, { origin: 'https://strange.example' });
    await shop.report({ amount: 'much' });
    await addTestHook(shop.sql, shop.team, { events: hookEvents });
    await addTestSource(server, shop.team, { kind: 'woocommerce' });
    const empty = await openShop(server);
    const [{ get, home }, other] = [await shop.console(), await empty.console()];
    const starts = [
      '/',
      '/no-such-page',
      home,
      `${home}/orders/${id}`,
      `${home}/setup/shop`,
      `${home}/nothing`,
    ];
    expect(await findDead(starts, (path) => get(path, { accept: 'text/html' }))).toEqual([]);
    expect(await findDead([other.home], (path) => other.get(path, { accept: 'text/html' }))).toEqual([]);
  });
}

/** Follows every link of a server from some pages on. Lists those that lead to no page, or to a fragment that its page lacks. */
async function findDead(starts: readonly string[], get: (path: string) => Promise<Answered>) {
  const dead: string[] = [];
  const [seen, read] = [new Set<string>(), new Set<string>()];
  const waiting = starts.map((to) => ({ from: 'start', to }));
  for (let link = waiting.pop(); link; link = waiting.pop()) {
    const { from, to } = link;
    const { pathname, searchParams, search, hash } = new URL(to, 'http://server');
    // One of a page's many ranges and filters is enough.
    const page = `${pathname}?${searchParams.get('platform') ?? ''}`;
    if (seen.has(page + hash)) continue;
    seen.add(page + hash);
    const { status, headers, text } = await get(pathname + search);
    // If a page from which it starts is missing, the link to it is no dead link.
    if (status >= 400 && !starts.includes(pathname)) dead.push(`${from} -> ${to}: ${status}`);
    const next = headers.get('location');
    if (next !== null) waiting.push({ from: pathname, to: new URL(next, `http://server${pathname}`).href });
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    if (hash !== '' && !text.includes(` id="${hash.slice(1)}"`)) dead.push(`${from} -> ${to}: no such place`);
    if (read.has(page)) continue;
    read.add(page);
    for (const [, address = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const url = new URL(unescaped(address), `http://server${pathname}`);
      if (url.host === 'server') waiting.push({ from: pathname, to: url.pathname + url.search + url.hash });
    }
  }
  expect(read.size).toBeGreaterThan(5);
  return dead;
}

interface Answered {
  status: number;
  headers: Headers;
  text: string;
}
