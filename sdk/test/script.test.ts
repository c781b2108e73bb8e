import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Collector, startCollector } from './collector';
import { openPage, type Page } from './page';

const teamId = 'team_01h455vb4pex5vsknk084sn02q';
const otherTeamId = 'team_01h455vb4pex5vsknk084sn02r';
const order = { email: 'ann@shop.example', amount: 1, orderId: '1' };

let collector: Collector;
let page: Page;
// biome-ignore lint/suspicious/noExplicitAny: a page may have anything under a name.
const globals = globalThis as unknown as Record<string, any>;

beforeEach(async () => {
  collector = await startCollector();
  page = openPage('https://shop.example/');
});
afterEach(async () => {
  await collector.close();
  vi.unstubAllGlobals();
  for (const name of ['track', 'other']) delete globals[name];
});

/** Adds a tag with these attributes to the page, without running it. */
function addTag(attributes: Record<string, string>, src: string) {
  const tag = document.createElement('script');
  for (const [name, value] of Object.entries(attributes)) tag.setAttribute(name, value);
  if (src) tag.setAttribute('src', src);
  if (!attributes.type) tag.type = 'text/plain';
  document.body.append(tag);
  return tag;
}

/** Runs the script with that tag as the page's current script. */
async function run(currentScript: unknown) {
  Object.defineProperty(document, 'currentScript', { configurable: true, value: currentScript });
  vi.resetModules();
  await import('../src/script');
}

const load = (attributes: Record<string, string>, query = '') =>
  run(addTag(attributes, `${collector.origin}/sdk/track.js${query}`));

async function stub() {
  vi.resetModules();
  await import('../src/stub');
}

describe('a tag in order', () => {
  test('sends to the origin it came from what is called after it has loaded', async () => {
    await load({ 'data-team-id': teamId });
    expect(await globals.track('order', order)).toMatchObject({ status: 'delivered' });
    expect(collector.received[0]!.report).toMatchObject({ ...order, teamId });
  });

  test.each([`?team=${teamId}`, `?v=3&team=${teamId}`, `?team=${teamId}&v=3#top`])(
    'the team may stand behind the file name, where tag managers strip data-*: %s',
    async (query) => {
      await load({}, query);
      await globals.track('order', order);
      expect(collector.received[0]!.report.teamId).toBe(teamId);
    },
  );

  test('data-endpoint sends elsewhere', async () => {
    await load({ 'data-team-id': teamId, 'data-endpoint': `${collector.origin}/base/` });
    await globals.track('order', order);
    expect(collector.received[0]!.path).toMatch(/^\/base\/svc-api\/v1\/orders\?\d{13}$/);
  });

  test.each<[string, (endpoint: string) => string]>([
    ['have white space around it', (endpoint) => `\n ${endpoint} `],
    ['begin with capitals', (endpoint) => endpoint.replace('http', 'HTTP')],
  ])('data-endpoint may %s', async (_, write) => {
    await load({ 'data-team-id': teamId, 'data-endpoint': write(`${collector.origin}/base`) });
    await globals.track('order', order);
    expect(collector.received[0]!.path).toMatch(/^\/base\/svc-api\/v1\/orders\?\d{13}$/);
  });

  test('an inlined script works with data-team-id and data-endpoint', async () => {
    await run(addTag({ 'data-team-id': teamId, 'data-endpoint': collector.origin }, ''));
    await globals.track('order', order);
    expect(collector.received[0]!.report.teamId).toBe(teamId);
  });

  test.each(['off', 'Off', ' OFF '])(
    'data-visitor="%s" keeps no visitor id until there is consent',
    async (off) => {
      await load({ 'data-team-id': teamId, 'data-visitor': off });
      expect(globals.track.visitorId()).toBeUndefined();
      await globals.track('consent', true);
      expect(globals.track.visitorId()).toMatch(/\w{9}/);
    },
  );

  test('keeps a visitor from the first page on', async () => {
    await load({ 'data-team-id': teamId });
    expect(document.cookie).toMatch(/^ob_landings=[\w+/]+=*; ob_visitor=\w{9,}$/);
  });

  test('of a visitor who is known it stores a new campaign as it loads, and writes no other cookie', async () => {
    page = openPage('https://shop.example/?utm_source=letter');
    localStorage.setItem('ob_visitor', 'aVisitorOfBefore');
    localStorage.setItem('ob_landings', 'first');
    const written: string[] = [];
    let cookie = 'ob_visitor=aVisitorOfBefore';
    const set = (text: string) => {
      written.push(text);
      cookie = `${cookie}; ${text.split(';')[0]}`;
    };
    Object.defineProperty(document, 'cookie', { get: () => cookie, set });
    await load({ 'data-team-id': teamId });
    await globals.track('order', order);
    expect(written).toEqual([expect.stringMatching(/^ob_landings=first\.[\w+/]+=*;.*domain=shop\.example/)]);
    expect(localStorage.getItem('ob_landings')).toBe(/ob_landings=([^;]+)/.exec(cookie)![1]);
    const { visitorId, landings } = collector.received[0]!.report;
    expect([visitorId, landings]).toEqual(['aVisitorOfBefore', localStorage.getItem('ob_landings')]);
  });

  test('takes no third argument from the page', async () => {
    await load({ 'data-team-id': teamId });
    expect(await globals.track('order', order, () => {})).toMatchObject({ status: 'delivered' });
    expect(collector.received[0]!.report.reportId).toMatch(/^orderbeacon:\w+$/);
  });
});

describe('calls made before it has loaded', () => {
  test('are sent, each once', async () => {
    await stub();
    globals.track('order', { ...order, orderId: 'a' });
    globals.track('order', { ...order, orderId: 'b' });
    await load({ 'data-team-id': teamId });
    await globals.track('order', { ...order, orderId: 'c' });
    await collector.until(3);
    expect(collector.received.map(({ report }) => report.orderId).sort()).toEqual(['a', 'b', 'c']);
    await expect.poll(() => Object.keys(localStorage)).toEqual(['ob_landings', 'ob_visitor']);
  });

  test('the report id is the key under which the stub wrote the call', async () => {
    await stub();
    globals.track('order', order);
    const [key] = Object.keys(localStorage);
    await load({ 'data-team-id': teamId });
    await collector.until(1);
    expect(collector.received[0]!.report.reportId).toBe(key);
  });

  test('the promise that the stub gave tells the end', async () => {
    await stub();
    const { status, final } = await globals.track('order', order);
    expect(status).toBe('pending');
    await load({ 'data-team-id': teamId });
    expect(await final).toMatchObject({ status: 'delivered' });
  });

  test('that track() has not are refused, each in one line', async () => {
    await stub();
    globals.track('purchase', order);
    await load({ 'data-team-id': teamId });
    expect(page.errors).toEqual(['orderbeacon: order refused: track() has no purchase']);
    expect(Object.keys(localStorage)).toEqual(['ob_landings', 'ob_visitor']);
  });

  test('are sent beside a call whose command is a symbol, which nothing can be compared with', async () => {
    vi.stubGlobal('localStorage', null);
    await stub();
    globals.track(Symbol('order'));
    globals.track('order', order);
    await load({ 'data-team-id': teamId });
    await collector.until(1);
    expect(collector.received[0]!.report).toMatchObject(order);
  });

  test('stay as they were made, where the storage is blocked and the page changes its object', async () => {
    vi.stubGlobal('localStorage', null);
    await stub();
    const changing = { ...order };
    globals.track('order', changing);
    changing.amount = 0;
    await load({ 'data-team-id': teamId });
    await collector.until(1);
    expect(collector.received[0]!.report.amount).toBe(order.amount);
  });

  test('keep their items, as a text, though Prototype.js has put toJSON on arrays', async () => {
    await stub();
    const items = [{ sku: 'A' }];
    const prototype = Array.prototype as { toJSON?: unknown };
    prototype.toJSON = function (this: unknown[]) {
      return `[${this.map((item) => JSON.stringify(item)).join(',')}]`;
    };
    globals.track('order', { ...order, items });
    delete prototype.toJSON;
    delete globals.track;
    await load({ 'data-team-id': teamId });
    await collector.until(1);
    expect(collector.received[0]!.report.items).toBe(JSON.stringify(items));
  });

  test('code that still holds the stub: its calls go when the page is hidden', async () => {
    await stub();
    const { track } = globals;
    await load({ 'data-team-id': teamId });
    track('order', order);
    page.setHidden(true);
    await collector.until(1);
    expect(collector.received[0]!.report).toMatchObject(order);
  });

  describe('keep their order, also those of one millisecond', () => {
    const released = readFileSync(new URL('../released/0.4.0/tag.html', import.meta.url), 'utf8');
    const stubOf040 = /^!function.*$/m.exec(released)![0];
    const rows = [
      ['the stub', stub, [true, false], undefined],
      ['the stub', stub, [false, true], expect.any(String)],
      ['the stub of 0.4.0', () => void new Function(stubOf040)(), [true, false], undefined],
      ['the stub of 0.4.0', () => void new Function(stubOf040)(), [false, true], expect.any(String)],
    ] as const;

    test.each(rows)('with %s and consents %#', async (_, runStub, consents, id) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      // Keys of one millisecond are sorted at random.
      for (let count = 0; count < 10; count++) {
        page = openPage('https://shop.example/');
        delete globals.track;
        await runStub();
        for (const consent of consents) globals.track('consent', consent);
        await load({ 'data-team-id': teamId });
        expect(globals.track.visitorId()).toEqual(id);
      }
    });

    test('on the next page, where the script did not load on the first', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      for (let count = 0; count < 10; count++) {
        page = openPage('https://shop.example/');
        delete globals.track;
        await stub();
        for (const consent of [true, false]) globals.track('consent', consent);
        delete globals.track;
        await load({ 'data-team-id': teamId });
        expect(globals.track.visitorId()).toBeUndefined();
      }
    });
  });

  test('a queued no counts before anything of the visitor is written', async () => {
    const written: string[] = [];
    const { cookie } = document;
    Object.defineProperty(document, 'cookie', { get: () => cookie, set: (text) => written.push(text) });
    await stub();
    globals.track('order', order);
    globals.track('consent', false);
    await load({ 'data-team-id': teamId });
    await collector.until(1);
    expect(written.filter((text) => text.startsWith('ob_visitor'))).toEqual([]);
    expect(written.filter((text) => text.startsWith('ob_landings'))).toEqual([]);
    expect(collector.received[0]!.report).not.toHaveProperty('visitorId');
    expect(localStorage.getItem('ob_visitor')).toBeNull();
  });
});

describe('a page that is prerendered', () => {
  let isPrerendering: boolean;
  beforeEach(() => {
    isPrerendering = true;
    Object.defineProperty(document, 'prerendering', { configurable: true, get: () => isPrerendering });
  });
  const open = () => {
    isPrerendering = false;
    page.window.document.dispatchEvent(new page.window.Event('prerenderingchange'));
  };

  test('keeps and sends nothing before a person opens it, and then what was called meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await stub();
    globals.track('order', order);
    await load({ 'data-team-id': teamId });
    expect([document.cookie, Object.keys(localStorage), collector.received]).toEqual(['', [], []]);
    vi.advanceTimersByTime(60_000);
    open();
    await collector.until(1);
    const { landings, ...report } = collector.received[0]!.report;
    expect(report).toMatchObject(order);
    expect(atob(`${landings}`)).toMatch(new RegExp(`^${Date.now()} `));
    await expect.poll(() => Object.keys(localStorage)).toEqual(['ob_landings', 'ob_visitor']);
  });

  test('has its order stored when it is opened, if the script does not load', async () => {
    await stub();
    globals.track('order', order);
    expect(Object.keys(localStorage)).toEqual([]);
    open();
    expect(Object.keys(localStorage)).toEqual([expect.stringMatching(/^orderbeacon:/)]);
  });

  test('that a shop’s own build makes waits, too, and its promise has the answer', async () => {
    const { createTracker } = await import('../src/index');
    const tracker = createTracker({ teamId, endpoint: collector.origin });
    const result = tracker.track('order', order);
    expect([document.cookie, collector.received, tracker.visitorId]).toEqual(['', [], undefined]);
    open();
    expect(await result).toMatchObject({ status: 'delivered' });
    expect(tracker.visitorId).toMatch(/\w{9}/);
  });
});

test('attributes that a template has left empty count as missing', async () => {
  await load({ 'data-team-id': '', 'data-endpoint': '', 'data-global': '' }, `?team=${teamId}`);
  expect(await globals.track('order', order)).toMatchObject({ status: 'delivered' });
  expect(collector.received[0]!.report.teamId).toBe(teamId);
});

describe('two tags', () => {
  test('of two teams, each with its global: each has its own calls, also those of earlier pages', async () => {
    globals.other = undefined;
    localStorage.setItem(
      'orderbeacon:1',
      JSON.stringify({ global: 'track', command: 'order', value: order }),
    );
    localStorage.setItem(
      'orderbeacon:2',
      JSON.stringify({ global: 'other', command: 'order', value: order }),
    );
    await load({ 'data-team-id': teamId });
    await load({ 'data-team-id': otherTeamId, 'data-global': 'other' });
    await globals.track('order', order);
    await globals.other('order', order);
    await collector.until(4);
    const teams = collector.received.map(({ report }) => [report.teamId, `${report.reportId}`.length === 13]);
    expect(teams.sort()).toEqual([
      [teamId, false],
      [teamId, true],
      [otherTeamId, false],
      [otherTeamId, true],
    ]);
    expect(page.errors).toEqual([]);
  });

  test('of one global: the first stays, and one console line says so', async () => {
    await load({ 'data-team-id': teamId });
    const { track } = globals;
    await load({ 'data-team-id': otherTeamId });
    expect(globals.track).toBe(track);
    expect(page.errors).toEqual(['orderbeacon: track is taken']);
    await track('order', order);
    expect(collector.received.map(({ report }) => report.teamId)).toEqual([teamId]);
  });

  test.each<[string, () => unknown]>([
    ['a function', () => () => 'the page’s own'],
    ['an object', () => ({ slide: () => {} })],
    ['another vendor’s queue', () => Object.assign(() => {}, { q: [['pageview']], visitorId: () => {} })],
    ['an element', () => document.createElement('a')],
    ['an object without a prototype', () => Object.create(null)],
  ])('%s of the page under that name is left alone, and one console line says so', async (_, make) => {
    const own = make() as { q?: unknown[] };
    globals.track = own;
    await stub();
    await load({ 'data-team-id': teamId });
    expect(globals.track).toBe(own);
    expect(own.q).toEqual(own.q && [['pageview']]);
    expect(page.errors).toEqual(['orderbeacon: track is taken']);
  });

  test('the text of a function says nothing about whose it is', async () => {
    globals.track = function vendor() {
      // biome-ignore lint/complexity/noArguments: as other vendors write it.
      globals.track.q = [...(globals.track.q ?? []), arguments];
    };
    globals.track('pageview');
    await load({ 'data-team-id': teamId });
    expect(globals.track.q).toHaveLength(1);
    expect(page.errors).toEqual(['orderbeacon: track is taken']);
  });

  test('an element that the page names by its id alone is no property of the page’s own, and is shadowed', async () => {
    const named = { configurable: true, writable: true, value: document.createElement('a') };
    const prototype = Object.getPrototypeOf(globalThis);
    Object.defineProperty(prototype, 'track', named);
    await stub();
    globals.track('order', order);
    await load({ 'data-team-id': teamId });
    Reflect.deleteProperty(prototype, 'track');
    await collector.until(1);
    expect(globals.track.visitorId()).toMatch(/\w/);
  });
});

test('a tag that runs again changes nothing and says nothing, and what is called goes on', async () => {
  await load({ 'data-team-id': teamId });
  const { track } = globals;
  await stub();
  await load({ 'data-team-id': ` ${teamId} ` });
  expect([globals.track, page.errors]).toEqual([track, []]);
  expect(await globals.track('order', order)).toMatchObject({ status: 'delivered' });
  expect(collector.received).toHaveLength(1);
});

describe('consent and two pages', () => {
  /** Stores a consent as the stub of an earlier page does. */
  const keptBy = (ms: number, value: unknown) =>
    localStorage.setItem(
      `orderbeacon:${ms.toString(36)}1`,
      JSON.stringify({ global: 'track', command: 'consent', value }),
    );

  test('a yes that a stub has kept counts for nothing after a later no on another sub-domain', async () => {
    keptBy(Date.now() - 60_000, true);
    // biome-ignore lint/suspicious/noDocumentCookie: as checkout.shop.example has set it.
    document.cookie = `ob_consent=0${(Date.now() - 30_000).toString(36)};domain=shop.example;path=/`;
    await load({ 'data-team-id': teamId });
    expect(globals.track.visitorId()).toBeUndefined();
    expect(document.cookie).toMatch(/^ob_consent=0\w{8}$/);
    expect(Object.keys(localStorage)).toEqual(['ob_consent']);
  });

  test('a no keeps its time and nothing that tells the visitor apart', async () => {
    await load({ 'data-team-id': teamId });
    await globals.track('consent', false);
    expect(document.cookie).toMatch(/^ob_consent=0\w{8}$/);
  });

  test.each([
    ['0mx0mce0e', undefined],
    ['1', expect.stringMatching(/^\w+$/)],
  ])('the script of 0.3.0 reads the decision %s as it is meant, and leaves it', async (decided, id) => {
    localStorage.setItem('ob_consent', decided);
    const tag = addTag({ 'data-team-id': teamId }, `${collector.origin}/sdk/track.js`);
    Object.defineProperty(document, 'currentScript', { configurable: true, value: tag });
    const released = readFileSync(new URL('../released/0.3.0/track.js', import.meta.url), 'utf8');
    new Function(released)();
    expect([globals.track.visitorId(), localStorage.getItem('ob_consent')]).toEqual([id, decided]);
  });

  test('of two tags, the one with data-visitor="off" takes no id from the other, and keeps none', async () => {
    await load({ 'data-team-id': teamId });
    const id = globals.track.visitorId();
    await load({ 'data-team-id': otherTeamId, 'data-global': 'other', 'data-visitor': 'off' });
    expect([globals.other.visitorId(), globals.track.visitorId()]).toEqual([undefined, id]);
    await globals.other('order', order);
    expect(collector.received[0]!.report).not.toHaveProperty('visitorId');
    await globals.other('consent', false);
    expect(globals.track.visitorId()).toBeUndefined();
  });
});

describe('loaders', () => {
  const src = () => `${collector.origin}/sdk/track.js`;

  test('a path as endpoint leads to the page’s own host, whatever <base> says', async () => {
    page = openPage(`${collector.origin}/thanks`);
    document.head.innerHTML = '<base href="https://cdn.example/theme/">';
    await load({ 'data-team-id': teamId, 'data-endpoint': '\n /base' });
    await globals.track('order', order);
    expect(collector.received[0]!.path).toMatch(/^\/base\/svc-api\/v1\/orders\?\d{13}$/);
  });

  test('a script that a bundler imports finds the tag with a team', async () => {
    addTag({ 'data-team-id': teamId }, src());
    await run(null);
    await globals.track('order', order);
    expect(collector.received[0]!.report.teamId).toBe(teamId);
  });

  test.each<[string, () => unknown, string]>([
    ['a tag without a team', () => addTag({}, src()), 'no data-team-id'],
    [
      'a script that is part of another file',
      () => addTag({}, 'https://cdn.example/all.js'),
      'no data-team-id',
    ],
    ['no tag at all', () => null, 'no data-team-id'],
    ['an inlined script', () => addTag({ 'data-team-id': teamId }, ''), 'no data-endpoint'],
    [
      'data-endpoint without a scheme',
      () => addTag({ 'data-team-id': teamId, 'data-endpoint': 'localhost:8787' }, src()),
      'no data-endpoint',
    ],
  ])('%s says so in one line, and the stub goes on keeping calls', async (_, tag, line) => {
    await stub();
    const { track } = globals;
    await run(tag());
    expect(page.errors).toEqual([`orderbeacon: ${line}`]);
    expect(globals.track).toBe(track);
    globals.track('order', order);
    delete globals.track;
    await load({ 'data-team-id': teamId });
    await collector.until(1);
    expect(collector.received[0]!.report).toMatchObject(order);
  });
});
