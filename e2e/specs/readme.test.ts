import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { setUpBrowser } from '../harness/engines.ts';
import { readmeExample } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpBrowser('chromium');

/** A command of the README with the reader's own team in it. */
const run = (example: string) =>
  orderbeacon.command<never[]>(
    ...readmeExample(example)
      .replace('node_modules/.bin/orderbeacon ', '')
      .replace('team_…', teamId)
      .split(' '),
  );

it('whoever pastes the tag, allows the domain and opens the page finds the order in the list', async () => {
  const html = readmeExample('tag')
    .replace('team_…', teamId)
    .replace('https://orders.shop.example', orderbeacon.url);
  pages.serve('/thanks', 'blank.html', { body: html });
  await orderbeacon.command('domain', 'add', '--team', teamId, '--test', 'localhost');
  await run('domain');
  const tab = await browser.newTab();
  await tab.goto(`http://localhost:${pages.port}/thanks`);
  await expect.poll(() => run('list'), { timeout: 20_000 }).toHaveLength(1);
  expect(await run('list')).toMatchObject([
    {
      orderId: '1001',
      email: 'ann@shop.example',
      amount: 49.9,
      currency: 'USD',
      reportedBy: 'browser',
      isTest: true,
    },
  ]);
});

it('whoever copies the API’s examples gets what they say', async () => {
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId);
  const sequence = await orderbeacon.command<{ id: string }>(
    'sequence',
    'create',
    '--team',
    teamId,
    '--name',
    'Welcome',
  );
  await orderbeacon.command('person', 'add', '--team', teamId, '--email', 'ann@shop.example');
  await orderbeacon.importProducts(teamId, [
    { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 },
  ]);
  const env = {
    PATH: process.env.PATH,
    SERVER: orderbeacon.url,
    API_KEY: key,
    TEAM: teamId,
    SEQUENCE: sequence.id,
  };
  const answers: Record<string, { success: boolean; data: Record<string, unknown> }> = {};
  for (const name of ['product', 'enroll', 'order']) {
    const { stdout } = await promisify(execFile)('sh', ['-c', readmeExample(name)], { env });
    answers[name] = JSON.parse(stdout);
  }
  expect(answers.product).toMatchObject({ success: true, data: { slug: 't-shirt', price: 24.95 } });
  expect(answers.enroll).toMatchObject({ success: true, data: { enrolled: true, sequenceId: sequence.id } });
  expect(answers.order).toMatchObject({ success: true, data: { amount: 49.9, isNew: true, isTest: false } });
});
