import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { removeProfile } from '../browsers/removeProfile.ts';
import { refusal } from '../harness/answers.ts';
import { inEveryBrowser, withBrowser } from '../harness/engines.ts';
import type { Fault } from '../harness/faults.ts';
import { orderNames, patientTries, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const page = shop.page('/thanks', 'confirmation.html');
/** A page whose tries are counted. */
const counted = shop.page('/counted', 'confirmation.html', { head: patientTries });
afterEach(() => shop.network.onReport(() => 'pass'));

const call = (name: string) => `void report(${JSON.stringify(name)})`;
const attemptsAt = (name: string) =>
  shop.network.seen.filter((seen) => seen.name === name).map(({ atMs }) => atMs);

inEveryBrowser((engine, browser) => {
  /** Reports on a page that stays open, and returns the times of the attempts. */
  const deliverDespite = async (decide: (attempt: number) => Fault, url = page) => {
    const [name] = orderNames(`${expect.getState().currentTestName} ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(url);
    shop.network.onReport(decide);
    await tab.run(call(name!));
    await shop.expectStoredOnce([name!]);
    return attemptsAt(name!);
  };

  it('503 three times: delivered by the fourth attempt', async () => {
    expect(await deliverDespite((n) => (n < 3 ? { status: 503 } : 'pass'), counted)).toHaveLength(4);
  });

  it('429 with Retry-After: 2 is obeyed', async () => {
    const sent = await deliverDespite(
      (n) => (n === 0 ? refusal(429, 'rate_limited', { 'Retry-After': '2' }) : 'pass'),
      counted,
    );
    expect(sent).toHaveLength(2);
    // The proxy held the first answer back for a round trip of its own before the wait began.
    expect(sent[1]! - sent[0]!).toBeGreaterThanOrEqual(2_000);
  });

  it('a server that hangs: given up, and delivered by a later attempt', async () => {
    expect((await deliverDespite((n) => (n === 0 ? 'hang' : 'pass'))).length).toBeGreaterThan(1);
  });

  it('a connection that is reset', () => deliverDespite((n) => (n < 2 ? 'reset' : 'pass')));

  it('an answer that is lost after the order was stored: still one order', () =>
    deliverDespite((n) => (n < 2 ? 'drop answer' : 'pass')));

  it('a server that is down: the next page of the shop delivers', async () => {
    const [name] = orderNames(`down ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    await shop.network.goDown();
    await tab.run(call(name!));
    await expect.poll(() => tab.run('return Object.keys(localStorage).length')).toBeGreaterThan(0);
    await tab.close();
    await shop.network.comeUp();
    await (await browser.newTab()).goto(page);
    await shop.expectStoredOnce([name!]);
  });

  it('a closed tab whose report was on its way to a server that is down: the next page delivers', async () => {
    const [name] = orderNames(`closed down ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    shop.network.onReport(() => ({ status: 503 }));
    await tab.run(call(name!));
    await tab.close();
    shop.network.onReport(() => 'pass');
    const later = await browser.newTab();
    await later.goto(page);
    await shop.expectStoredOnce([name!]);
    await later.close();
  });

  // Only Playwright's own protocol can take a browser offline; the stock drivers cannot.
  describe.skipIf(engine !== 'chromium')('', () => {
    it('offline, then online: delivered immediately when the browser says so', async () => {
      const [name] = orderNames(`offline ${engine}`, 1);
      const tab = await browser.newTab();
      await tab.goto(page);
      await browser.setOffline!(true);
      await tab.run(call(name!));
      await expect.poll(() => tab.run('return navigator.onLine')).toBe(false);
      await browser.setOffline!(false);
      await shop.expectStoredOnce([name!]);
    });
  });

  // WebKitGTK's automation sessions keep their profile in memory only.
  describe.skipIf(engine === 'webkit')('', () => {
    it('a server that is down: a page after a restart of the browser delivers', async () => {
      const profile = await mkdtemp(join(tmpdir(), 'orderbeacon-profile-'));
      const [name] = orderNames(`down restart ${engine}`, 1);
      try {
        await withBrowser(engine, { profile }, async (first) => {
          const tab = await first.newTab();
          await tab.goto(page);
          await shop.network.goDown();
          await tab.run(call(name!));
        });
        await shop.network.comeUp();
        await withBrowser(engine, { profile }, async (second) => {
          await (await second.newTab()).goto(page);
          await shop.expectStoredOnce([name!]);
        });
      } finally {
        await removeProfile(profile);
      }
    });
  });
});
