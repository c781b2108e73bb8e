import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('axe finds nothing in the documentation, and nothing is wider than the page: light and dark, wide and narrow', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  // The contents, a guide with tables and code, and one with a picture.
  for (const name of ['', '/sdk/orders', '/how-orders-become-one']) {
    await reader.goto(`${orderbeacon.url}/docs${name}`);
    await expectWellShown(reader, `/docs${name}`);
  }
});

it('a reader goes from the contents to a heading of a guide, and on to a picture that is shown', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  const complaints: string[] = [];
  reader.on('console', (message) => complaints.push(message.text()));
  await reader.goto(`${orderbeacon.url}/docs`);
  await reader.getByRole('main').getByRole('link', { name: 'When reports contradict each other' }).click();
  await reader.waitForURL(`${orderbeacon.url}/docs/how-orders-become-one#when-reports-contradict-each-other`);
  const picture = reader.getByRole('img');
  const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  await reader.getByRole('link', { name: 'order_conflict' }).click();
  await reader.getByRole('heading', { name: 'Who fixes it' }).waitFor();
  expect(complaints).toEqual([]);
});
