import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('one browser is signed in to two teams, switches by keyboard, and a live page stays with its team', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const [one, two] = [
    await newTeam(orderbeacon, 'The shop of cups'),
    await newTeam(orderbeacon, 'A shop with a name of more than forty characters'),
  ];
  const page = await people.newPerson();
  await openConsole(page, await consoleLink(orderbeacon, one.teamId));
  const live = await page.context().newPage();
  await live.goto(`${orderbeacon.url}/console/orders`);
  await live.getByText('New orders appear here by themselves.').waitFor();
  await page.goto('about:blank');
  await openConsole(page, await consoleLink(orderbeacon, two.teamId));

  const menu = page.locator('summary', { hasText: 'A shop with a name' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Switch to The shop of cups' }).waitFor();
  await expectWellShown(page, 'the open menu of teams');
  const edges = await page.locator('.teams-menu').evaluate((menu) => {
    const [frame, first] = [menu, menu.querySelector('small')!].map((box) => box.getBoundingClientRect());
    return { top: first!.top - frame!.top, left: first!.left - frame!.left };
  });
  expect(edges).toEqual({ top: 13, left: 13 });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('summary', { hasText: 'The shop of cups' }).click();
  await page.getByRole('button', { name: 'Switch to A shop' }).click();
  await menu.waitFor();

  // The other tab still shows the first team. Its stream went on, and a new one would be of the second team.
  await one.report({ orderId: 'still-live', name: 'Ann' });
  await live.getByText('still-live').waitFor();
  const again = await live.evaluate(
    (team) => fetch(`/console/live?since=0&team=${team}`).then(({ status }) => status),
    one.teamId,
  );
  expect(again).toBe(404);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out of the team that you looked at').waitFor();
  await expectWellShown(page, 'the next team after signing out');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Orderbeacon' }).waitFor();
});

it('without JavaScript the teams are switched too', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const page = await people.newPerson({ javaScriptEnabled: false });
  for (const name of ['Cups', 'Plates']) {
    const { teamId } = await newTeam(orderbeacon, name);
    await page.goto(`${orderbeacon.url}/console/sign-in`);
    await page.getByLabel('paste it here').fill(await consoleLink(orderbeacon, teamId));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }
  await page.locator('summary', { hasText: 'Plates' }).click();
  await page.getByRole('button', { name: 'Switch to Cups' }).click();
  await page.locator('summary', { hasText: 'Cups' }).waitFor();
});
