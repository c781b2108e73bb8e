import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('removing a domain with orders of today asks, another one is undone by one press, with and without JavaScript', async () => {
  const orderbeacon = await sharedOrderbeacon();
  for (const javaScriptEnabled of [true, false]) {
    const { teamId, report } = await newTeam(orderbeacon);
    await report({ orderId: 'o-1' });
    await orderbeacon.command('domain', 'add', '--team', teamId, 'old.example');
    const merchant = await people.newPerson({ javaScriptEnabled });
    if (javaScriptEnabled) await openConsole(merchant, await consoleLink(orderbeacon, teamId));
    else {
      await merchant.goto(`${orderbeacon.url}/console/sign-in`);
      await merchant.getByLabel('paste it here').fill(await consoleLink(orderbeacon, teamId));
      await merchant.getByRole('button', { name: 'Sign in' }).click();
    }
    const domains = async () =>
      (await orderbeacon.command<{ domain: string }[]>('domain', 'list', '--team', teamId)).map(
        ({ domain }) => domain,
      );
    await merchant.goto(`${orderbeacon.url}/console/setup`);
    await merchant.getByRole('button', { name: 'Remove old.example' }).click();
    const undo = merchant.getByRole('button', { name: 'Undo: allow old.example again' });
    await undo.waitFor();
    expect(await domains()).toEqual(['shop.example']);
    if (javaScriptEnabled) await expectWellShown(merchant, 'a removed domain with Undo');
    await undo.click();
    await merchant.getByRole('button', { name: 'Remove old.example' }).waitFor();
    expect(await domains()).toEqual(['old.example', 'shop.example']);

    await merchant.getByRole('button', { name: 'Remove shop.example' }).click();
    await merchant.getByText('1 order, $49.90').waitFor();
    if (javaScriptEnabled) await expectWellShown(merchant, 'a domain that is asked about');
    await merchant.getByRole('link', { name: 'Keep it' }).click();
    expect(await domains()).toContain('shop.example');
    await merchant.getByRole('button', { name: 'Remove shop.example' }).click();
    await merchant.getByRole('heading', { name: 'Remove shop.example?' }).waitFor();
    await merchant.getByRole('button', { name: 'Remove shop.example' }).click();
    await merchant.getByText('Removed shop.example').waitFor();
    expect(await domains()).toEqual(['old.example']);
  }
});

it('one press on the page of a refused report corrects all like it, and the navigation counts them', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, reportRefused } = await newTeam(orderbeacon);
  for (const [orderId, amount] of [
    ['o-1', '49,90'],
    ['o-2', '120,10'],
    ['o-3', '1.170,00'],
  ])
    await reportRefused({ orderId, amount }, 'https://shop.example');
  await reportRefused({ orderId: 'o-4', amount: 170 });
  const merchant = await people.newPerson({ locale: 'en-US' });
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.getByRole('link', { name: 'Refused (4) · $170', exact: true }).click();
  await merchant.locator('article').filter({ hasText: 'amount' }).getByText('See each one').click();
  await merchant.locator('tbody tr', { hasText: 'o-1' }).getByRole('link').click();
  await merchant.getByRole('button', { name: 'Correct all 3 like this' }).waitFor();
  await expectWellShown(merchant, 'a report that others are like');
  await merchant.getByRole('button', { name: 'Correct all 3 like this' }).click();
  await merchant.getByText('3 orders are stored.').waitFor();
  await merchant.getByRole('link', { name: 'Refused (1) · $170', exact: true }).waitFor();
  const stored = await orderbeacon.orders(teamId);
  expect(stored.map(({ orderId, amount }) => [orderId, amount]).sort()).toEqual([
    ['o-1', 49.9],
    ['o-2', 120.1],
    ['o-3', 1170],
  ]);
});
