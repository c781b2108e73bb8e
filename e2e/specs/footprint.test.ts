import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { orderNames, patientTries, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));

/** Counts what the SDK asks of a page, and not what a driver of the browser adds: the stack tells them apart. */
const counting = `<script>
  window.listeners = []; window.timers = new Set(); window.writes = [];
  window.cookies = { read: 0, written: 0 };
  const isOfSdk = () => new Error().stack.includes('/sdk/track.js');
  const { addEventListener: add, setTimeout: set, clearTimeout: clear } = window;
  window.addEventListener = (type, ...more) => {
    if (isOfSdk()) listeners.push(type);
    add.call(window, type, ...more);
  };
  document.addEventListener = (type) => { listeners.push('document ' + type) };
  window.setInterval = () => { listeners.push('interval') };
  window.setTimeout = (run, ms) => {
    if (!isOfSdk()) return set(run, ms);
    const timer = set(() => { timers.delete(timer); run() }, ms);
    timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { timers.delete(timer); clear(timer) };
  for (const name of ['setItem', 'removeItem', 'clear']) {
    const real = Storage.prototype[name];
    Storage.prototype[name] = function (key, ...more) { writes.push([name, key]); return real.call(this, key, ...more) };
  }
  const { get, set: setCookie } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  Object.defineProperty(document, 'cookie', {
    get() { cookies.read++; return get.call(document) },
    set(text) { cookies.written++; setCookie.call(document, text) },
  });
</script>`;
const page = shop.page('/thanks', 'anywhere.html', {
  head: `${patientTries}${counting}<script src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>`,
});
const ofOrders = `writes.filter(([, key]) => key.startsWith('orderbeacon:')).map(([name]) => name)`;
const forget = `localStorage.clear(); for (const name of ['ob_visitor', 'ob_landings'])
  document.cookie = name + '=;path=/;max-age=-1;domain=' + location.hostname`;
const call = (name: string) =>
  `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' })`;

inOneBrowser((engine, browser) => {
  it('a page has four listeners of the SDK, and no timer while nothing waits', async () => {
    const tab = await browser.newTab();
    await tab.goto(page);
    expect(await tab.run('return listeners.sort()')).toEqual([
      'online',
      'pagehide',
      'storage',
      'visibilitychange',
    ]);
    expect(await tab.run('return timers.size')).toBe(0);
    const [name] = orderNames(`footprint ${engine}`, 1);
    await tab.run(`await ${call(name!)}`);
    await shop.expectStoredOnce([name!]);
    await expect.poll(() => tab.run('return timers.size')).toBe(0);
    expect(await tab.run('return listeners.length')).toBe(4);
    await tab.close();
  });

  it('the script reads the cookies twice on a page, and once more where it writes the visitor or a landing', async () => {
    const tab = await browser.newTab();
    // A page of the same site, on which the visitor is forgotten.
    await tab.goto(page);
    await tab.run(forget);
    await tab.goto(`${page}?utm_source=newsletter`);
    await expect.poll(() => tab.run('return cookies')).toEqual({ read: 3, written: 2 });
    await tab.goto(`${page}?utm_source=letter`);
    await expect.poll(() => tab.run('return cookies')).toEqual({ read: 3, written: 1 });
    await tab.goto(page);
    await expect.poll(() => tab.run('return cookies')).toEqual({ read: 2, written: 0 });
    const [name] = orderNames(`cookies ${engine}`, 1);
    await tab.run(`await ${call(name!)}`);
    expect(await tab.run('return cookies')).toEqual({ read: 3, written: 0 });
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });

  it('an order is written once before it is sent, and marked as answered and removed after its answer', async () => {
    const [name, retried] = orderNames(`writes ${engine}`, 2);
    const tab = await browser.newTab();
    await tab.goto(page);
    await tab.run(`await ${call(name!)}`);
    expect(await tab.run(`return ${ofOrders}`)).toEqual(['setItem', 'setItem', 'removeItem']);
    shop.network.onReport((attempt) => (attempt === 0 ? { status: 503 } : 'pass'));
    await tab.run(`writes.length = 0; const { final } = await ${call(retried!)}; await final`);
    expect(await tab.run(`return ${ofOrders}`)).toEqual([
      'setItem',
      'setItem',
      'setItem',
      'setItem',
      'removeItem',
    ]);
    await shop.expectStoredOnce([name!, retried!]);
    await tab.close();
  });
});
