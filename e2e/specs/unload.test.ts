import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { removeProfile } from '../browsers/removeProfile.ts';
import { inEveryBrowser, withBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const page = shop.page('/thanks', 'confirmation.html');
/** Round-trip time that lets a page end before its answer comes. */
const roundTripMs = 100;
beforeEach(() => {
  shop.network.roundTripMs = roundTripMs;
});

const call = (name: string) => `void report(${JSON.stringify(name)})`;
/** Makes a call with more items than a server or a beacon takes. */
const largeCall = (name: string) =>
  `void report(${JSON.stringify(name)}, { items: Array(200).fill({ note: 'x'.repeat(500) }) })`;

/** Leaves the page. The driver may lose its answer with it. */
const leave = (tab: Tab, body: string) => tab.run(body).catch(() => {});

inEveryBrowser((engine, browser) => {
  // A race could break this. At night each is tried three times.
  const declare = (trials: number, tags: string[]) =>
    describe(`an order survives, tried ${trials} times`, { tags }, () => declareTrials(trials));
  declare(1, []);
  declare(3, ['long']);

  function declareTrials(trials: number) {
    const eachTrial = async (
      scenario: string,
      act: (tab: Tab, name: string, trial: number) => Promise<void>,
    ) => {
      const names = orderNames(`${scenario} ${engine}`, trials);
      for (const [trial, name] of names.entries()) {
        const tab = await browser.newTab();
        await tab.goto(page);
        await act(tab, name, trial);
      }
      await shop.expectStoredOnce(names);
    };

    it('location.href in the same tick', () =>
      eachTrial('navigation', async (tab, name) => {
        await leave(tab, `${call(name)}; location.href = '/elsewhere'`);
        await delay(200);
        await tab.close();
      }));

    it('a form that is submitted in the same tick', () =>
      eachTrial('form', async (tab, name) => {
        await leave(
          tab,
          `document.body.insertAdjacentHTML('beforeend', '<form action="/elsewhere"></form>');
          const [form] = document.forms;
          form.onsubmit = () => { ${call(name)} };
          form.requestSubmit();`,
        );
        await delay(200);
        await tab.close();
      }));

    it('a tab that is closed immediately, also with 100 kB of items', () =>
      eachTrial('closed', async (tab, name, trial) => {
        await leave(tab, trial === 0 ? largeCall(name) : call(name));
        await tab.close();
      }));

    it('a tab that is closed after 50 ms', () =>
      eachTrial('closed after 50', async (tab, name) => {
        await leave(tab, call(name));
        await delay(50);
        await tab.close();
      }));

    it('a tab that is closed after 100 ms at a round trip of 400 ms', () =>
      eachTrial('closed after 100', async (tab, name) => {
        shop.network.roundTripMs = 400;
        await leave(tab, call(name));
        await delay(100);
        await tab.close();
      }));
  }

  // WebKitGTK's automation sessions keep their profile in memory only, so there is nothing to restart with.
  describe.skipIf(engine === 'webkit')('an order survives', () => {
    it('a browser that is killed as soon as its report has left, and comes back', async () => {
      const profile = await mkdtemp(join(tmpdir(), 'orderbeacon-profile-'));
      const [name] = orderNames(`killed ${engine}`, 1);
      try {
        await withBrowser(engine, { profile }, async (browser) => {
          const tab = await browser.newTab();
          await tab.goto(page);
          // The kill comes before an answer, and after the report has left. Before that, nothing keeps it: browsers write
          // localStorage to the disk up to five seconds later.
          shop.network.roundTripMs = 2_000;
          const posts = () =>
            shop.network.seen.filter(({ method, isComplete }) => method === 'POST' && isComplete).length;
          const before = posts();
          await leave(tab, call(name!));
          await expect.poll(posts, { interval: 5 }).toBeGreaterThan(before);
          await browser.kill();
        });
        shop.network.roundTripMs = roundTripMs;
        await withBrowser(engine, { profile }, async (browser) => {
          const tab = await browser.newTab();
          await tab.goto(page);
          await shop.expectStoredOnce([name!]);
        });
      } finally {
        await removeProfile(profile);
      }
    });
  });
});
