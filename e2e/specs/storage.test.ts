// @module-tag all
import { expect, it } from 'vitest';
import { inEveryBrowser, withBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();

/** Makes reading the storage throw, as in Brave, in sandboxed frames and with some settings. */
const storageThrows = `<script>
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
  }
</script>`;
const cookiesThrow = `<script>
  Object.defineProperty(document, 'cookie', { get() { throw new DOMException('denied', 'SecurityError'); },
    set() { throw new DOMException('denied', 'SecurityError'); } });
</script>`;

inEveryBrowser((engine, browser) => {
  it('with storage blocked a closed tab still delivers what the network has taken', async () => {
    // A report that is only on the network is lost if the browser is killed. Without storage this is not promised.
    const page = shop.page('/storage-closed', 'confirmation.html', { head: storageThrows + cookiesThrow });
    const names = orderNames(`blocked closed ${engine}`, 3);
    for (const name of names) {
      const tab = await browser.newTab();
      await tab.goto(page);
      await tab.run(`void report(${JSON.stringify(name)})`).catch(() => {});
      await tab.close();
    }
    await shop.expectStoredOnce(names);
  });

  it('the visitor is the same on every page and sub-domain, and is restored from either place', async () => {
    const page = shop.page('/visitor', 'confirmation.html');
    const tab = await browser.newTab();
    await tab.goto(page);
    const id = await tab.run<string>('return track.visitorId()');
    expect(id).toMatch(/\S{8,}/);
    await tab.run('localStorage.clear()');
    await tab.goto(page);
    expect(await tab.run('return track.visitorId()')).toBe(id);
    await tab.goto(page.replace('shop.localhost', 'www.shop.localhost'));
    expect(await tab.run('return track.visitorId()')).toBe(id);
    await tab.goto(page);
    await tab.run(`for (const cookie of document.cookie.split('; ')) for (const domain of ['', ';domain=shop.localhost'])
      document.cookie = cookie.split('=')[0] + '=;path=/;max-age=0' + domain`);
    expect(await tab.run('return document.cookie')).toBe('');
    await tab.goto(page);
    expect(await tab.run('return track.visitorId()')).toBe(id);
    expect(await tab.run('return document.cookie')).toContain(id);
    await tab.close();
  });

  it('consent that is refused erases the visitor on every sub-domain; orders are reported without it', async () => {
    const [name] = orderNames(`no consent ${engine}`, 1);
    const page = shop.page('/consent', 'confirmation.html');
    const ofWww = page.replace('shop.localhost', 'www.shop.localhost');
    const tab = await browser.newTab();
    await tab.goto(page);
    await tab.run("return track('consent', false)");
    await tab.goto(ofWww);
    expect(await tab.run('return [track.visitorId() ?? null, document.cookie]')).toEqual([
      null,
      expect.stringMatching(/^ob_consent=0[0-9a-z]+$/),
    ]);
    await tab.goto(page);
    await tab.run(`return report(${JSON.stringify(name)})`);
    expect((await shop.expectStoredOnce([name!]))[0]!.visitorId).toBe(null);
    await tab.run("return track('consent', true)");
    const visitorId = await tab.run('return track.visitorId()');
    expect(visitorId).toMatch(/\S{8,}/);
    await tab.goto(ofWww);
    expect(await tab.run('return track.visitorId()')).toBe(visitorId);
    await tab.close();
  });
});

// Blocking all cookies is a setting of the profile, which can be set only in Chromium and Firefox.
inEveryBrowser(
  (engine) => {
    it('a browser that is set to block all cookies and storage delivers', async () => {
      const [name] = orderNames(`setting ${engine}`, 1);
      await withBrowser(engine, { isStorageBlocked: true }, async (browser) => {
        const tab = await browser.newTab();
        await tab.goto(shop.page('/setting', 'confirmation.html'));
        expect(
          await tab.run("try { localStorage.length; return 'readable' } catch { return 'throws' }"),
        ).toBe('throws');
        await tab.run(`void report(${JSON.stringify(name)})`);
        await shop.expectStoredOnce([name!]);
        expect(await tab.run('return errors')).toEqual([]);
      });
    });
  },
  { only: ['chromium', 'firefox'] },
);
