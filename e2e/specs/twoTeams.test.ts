import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

const shop = await setUpShop();
const second = (await shop.orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Second')).id;
await shop.orderbeacon.command('domain', 'add', '--team', second, 'shop.localhost');
afterEach(() => shop.network.onScript('pass'));

const tag = (teamId: string, more = '') =>
  `<script async src="${shop.endpoint}/sdk/track.js" data-team-id="${teamId}" ${more}></script>`;
const bothTags = tag(shop.teamId) + tag(second, 'data-global="trackSecond"');
const bothStubs = `<script>${stub}</script><script>${stub.replace('"track"', '"trackSecond"')}</script>`;
/** Collects the page's console lines, in every engine. */
const listen = '<script>window.said = []; console.error = (...words) => said.push(words.join(" "))</script>';
const order = (name: string) =>
  `{ email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' }`;

inOneBrowser((engine, browser) => {
  const namesOf = async (teamId: string) =>
    (await shop.orderbeacon.orders(teamId)).map(({ name }) => name).filter((name) => name?.endsWith(engine));
  const arrived = (names: string[]) =>
    expect
      .poll(() => {
        const answered = shop.network.seen.filter(({ status }) => status === 200).map(({ name }) => name);
        return names.filter((name) => !answered.includes(name));
      })
      .toEqual([]);

  it('two teams on one page get their own orders, with the script and before it', async () => {
    const [one, two, earlyOne, earlyTwo] = ['one', 'two', 'early one', 'early two'].map(
      (name) => `${name} ${engine}`,
    );
    const call = `track('order', ${order(earlyOne!)}); trackSecond('order', ${order(earlyTwo!)})`;
    shop.pages.serve('/theme', 'anywhere.html', { head: bothTags });
    shop.pages.serve('/both', 'anywhere.html', {
      head: bothTags + bothStubs,
      body: `<script>${call}</script>`,
    });
    const tab = await browser.newTab();

    // The script does not load, so both calls wait for a page where it does.
    shop.network.onScript({ status: 503 });
    await tab.goto(`${shop.origin}/both`);
    shop.network.onScript('pass');
    await tab.goto(`${shop.origin}/theme`);
    await arrived([earlyOne!, earlyTwo!]);
    await tab.run(`await track('order', ${order(one!)}); await trackSecond('order', ${order(two!)})`);
    await arrived([one!, two!]);
    expect((await namesOf(shop.teamId)).sort()).toEqual([earlyOne, one]);
    expect((await namesOf(second)).sort()).toEqual([earlyTwo, two]);
    await tab.close();
  });

  it('two teams on pages of one host: a call waits for a page of its own team', async () => {
    const [early, other] = ['waits', 'in between'].map((name) => `${name} ${engine}`) as [string, string];
    const ownStub = `<script>${stub}</script>`;
    const otherTag = tag(second, 'data-global="trackSecond"');
    shop.pages.serve('/us/thanks', 'anywhere.html', {
      head: ownStub,
      body: `<script>track('order', ${order(early)})</script>`,
    });
    shop.pages.serve('/eu/thanks', 'anywhere.html', {
      head: otherTag + ownStub.replace('"track"', '"trackSecond"'),
      body: `<script>trackSecond('order', ${order(other)})</script>`,
    });
    shop.pages.serve('/us', 'anywhere.html', { head: tag(shop.teamId) });
    const tab = await browser.newTab();
    await tab.goto(`${shop.origin}/us/thanks`);
    await tab.goto(`${shop.origin}/eu/thanks`);
    await arrived([other]);
    await tab.goto(`${shop.origin}/us`);
    await arrived([early]);
    expect(await namesOf(shop.teamId)).toContain(early);
    expect(await namesOf(second)).toContain(other);
    expect(await namesOf(second)).not.toContain(early);
    await tab.close();
  });

  it('a second tag with the same name says so once, and leaves the first alone', async () => {
    const [name] = orderNames(`same name ${engine}`, 1);
    const plain = (teamId: string) => tag(teamId).replace('async ', '');
    const head = listen + plain(shop.teamId) + plain(second);
    const tab = await browser.newTab();
    await tab.goto(shop.page('/same-name', 'anywhere.html', { head }));
    expect(await tab.run('return said')).toEqual(['orderbeacon: track is taken']);
    expect(await tab.run(`return ${answerTo(`track('order', ${order(name!)})`)}`)).toMatchObject({
      status: 'delivered',
    });
    expect(await shop.expectStoredOnce([name!])).toHaveLength(1);
    await tab.close();
  });
});
