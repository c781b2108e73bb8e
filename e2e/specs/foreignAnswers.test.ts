import { afterEach, expect, it } from 'vitest';
import type { Browser, Tab } from '../browsers/browser.ts';
import { refusal, webPage } from '../harness/answers.ts';
import { inEveryEngine, inOneBrowser } from '../harness/engines.ts';
import type { Fault } from '../harness/faults.ts';
import { answerTo, orderNames, patientTries, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const clock = `<script>
  const now = Date.now;
  window.aheadMs = Number(new URLSearchParams(location.search).get('aheadMs'));
  Date.now = () => now() + aheadMs;
</script>`;
const page = shop.page('/thanks', 'confirmation.html', { head: clock + patientTries });
shop.pages.serve('/login', 'blank.html', {}, { 'Access-Control-Allow-Origin': '*' });
afterEach(() => shop.network.onReport(() => 'pass'));

const attemptsAt = (name: string) =>
  shop.network.seen.filter((seen) => seen.name === name).map(({ atMs }) => atMs);
const call = (name: string) => `report('${name}', { orderId: '${name}' })`;

/** Programs between shops and servers, which answer in place of the server. */
const strangers: Fault[] = [
  ...[200, 400, 401, 403, 404, 405, 409, 413, 425, 500].map((status) => webPage(status)),
  ...[301, 302, 307].map((status) => webPage(status, { Location: `${shop.origin}/login` })),
  // Other programs speak JSON too.
  { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"success":true,"data":{"id":7}}' },
  { status: 403, headers: { 'Content-Type': 'application/json' }, body: '{"error":{"code":"forbidden"}}' },
  { status: 404, headers: { 'Content-Type': 'application/json' }, body: 'null' },
  // Gateways that use Spring.
  ...[400, 401, 403, 413].map((status) => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body: '{"error":"Bad Request","requestId":"7bd0b1f1-1"}',
  })),
];

/** Values of `Retry-After` with which the SDK must neither hurry nor wait for ever. */
const oddPauses = ['-1', '0', '1e999', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'];

async function open(browser: Browser, url: string): Promise<Tab> {
  const tab = await browser.newTab();
  await tab.goto(url);
  return tab;
}

inEveryEngine((engine, browser) => {
  it('an answer that is not Orderbeacon’s says nothing: the order goes again and is stored', async () => {
    const names = orderNames(`stranger ${engine}`, strangers.length);
    shop.network.onReport((attempt, name) => (attempt === 0 ? strangers[names.indexOf(name)]! : 'pass'));
    const tab = await open(browser, page);
    const first = await tab.run<string[]>(
      `return Promise.all([${names.map(call)}].map(async (sent) => (await sent).status))`,
    );
    expect(first).toEqual(strangers.map(() => 'pending'));
    await shop.expectStoredOnce(names);
    expect(await tab.run('return errors')).toEqual([]);
  });
});

inOneBrowser((engine, browser) => {
  const switchTabs = (tab: Tab) =>
    tab.run(`for (let n = 0; n < 20; n++) {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => n % 2 === 0 });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      dispatchEvent(new Event('online'));
    }`);

  it('a Retry-After that makes no sense is a pause of half a second at least', async () => {
    const names = orderNames(`odd pause ${engine}`, oddPauses.length);
    // A tab that was closed before its last answer arrived leaves a report to this one.
    shop.network.onReport((attempt, name) =>
      attempt === 0 && names.includes(name)
        ? refusal(429, 'rate_limited', { 'Retry-After': oddPauses[names.indexOf(name)]! })
        : 'pass',
    );
    const tab = await open(browser, page);
    await tab.run(names.map((name) => `void ${call(name)}`).join(';'));
    // Infinity is an hour, and what is below a second is one. The others are none, so the usual half second counts.
    const soon = names.filter((_, n) => oddPauses[n] !== '1e999');
    await shop.expectStoredOnce(soon);
    for (const name of soon) {
      const [first, second, ...more] = attemptsAt(name);
      expect(second! - first!).toBeGreaterThanOrEqual(oddPauses[names.indexOf(name)] === '-1' ? 1_000 : 500);
      expect(more).toEqual([]);
    }
    expect(attemptsAt(names[oddPauses.indexOf('1e999')]!)).toHaveLength(1);
  });

  it('an hour’s Retry-After outlives tab switches and pages, and no longer than the hour', async () => {
    const [held, sync, later] = orderNames(`hour ${engine}`, 3);
    shop.network.onReport((attempt, name) =>
      name === held && attempt === 0 ? refusal(429, 'rate_limited', { 'Retry-After': '3600' }) : 'pass',
    );
    const tab = await open(browser, page);
    expect(await tab.run(`return ${call(held!)}.then(({ status }) => status)`)).toBe('pending');
    await switchTabs(tab);
    await tab.run(`void ${call(sync!)}`);
    await shop.expectStoredOnce([sync!]);
    await tab.goto(page);
    await switchTabs(tab);
    await tab.run(`void ${call(later!)}`);
    await shop.expectStoredOnce([later!]);
    expect(attemptsAt(held!)).toHaveLength(1);
    await tab.goto(`${page}?aheadMs=${4_000_000}`);
    await shop.expectStoredOnce([held!]);
  });

  it('an order of a domain that is not allowed is stored when somebody has allowed it, an hour later', async () => {
    const [name] = orderNames(`allowed later ${engine}`, 1);
    const foreign = page.replace('shop.localhost', 'other.localhost');
    const tab = await open(browser, foreign);
    const refused = await tab.run(`return ${answerTo(call(name!))}`);
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'domain_not_allowed' } });
    await tab.goto(foreign);
    await shop.orderbeacon.command('domain', 'add', '--team', shop.teamId, 'other.localhost');
    await tab.goto(`${foreign}?aheadMs=${4_000_000}`);
    await shop.expectStoredOnce([name!]);
    await shop.orderbeacon.command('domain', 'remove', '--team', shop.teamId, 'other.localhost');
  });
});
