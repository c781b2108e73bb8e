import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('a merchant compares an export without JavaScript of ours, stores the missing orders, and axe finds nothing in any step', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'same', amount: 5, currency: 'EUR' });
  await report({ orderId: 'other', amount: 6, currency: 'EUR' });
  await report({ orderId: 'extra', amount: 7, currency: 'EUR' });
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.route('**/*.js', (route) => route.abort());
  await merchant.goto(`${orderbeacon.url}/console/orders`);
  await merchant.getByRole('link', { name: 'Compare with your shop’s export' }).click();
  await merchant.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
  await expectWellShown(merchant, 'the form', { hasScript: false });
  const choose = async (rows: string[]) => {
    const buffer = Buffer.from(`Nr;amount;currency;email\r\n${rows.join('\r\n')}\r\n`);
    await merchant.getByText('The file has other columns').click();
    await merchant.getByLabel('Column of the order id').fill('Nr');
    await merchant.getByLabel('Column of the total').fill('amount');
    await merchant.getByLabel('Column of the buyer’s email').fill('email');
    await merchant.getByLabel('Currency, if the file has none').fill('currency');
    await merchant
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await merchant.getByRole('button', { name: 'Compare' }).click();
  };
  await choose([
    'same;5;EUR;ann@buyer.example',
    'other;66;EUR;',
    'gone;1,234.50;EUR;bob@buyer.example',
    'lost;1.234;EUR;',
  ]);
  await merchant.getByRole('status').waitFor();
  for (const heading of ['Missing here (1)', 'Different (1)', 'Only here (1)', 'Rows that were not read (1)'])
    await merchant.getByRole('heading', { name: heading }).waitFor();
  await expectWellShown(merchant, 'differences', { hasScript: false });
  await merchant.getByRole('button', { name: 'Store the missing order' }).click();
  await merchant.getByText('1 order is stored.').waitFor();
  await expectWellShown(merchant, 'stored', { hasScript: false });
  const [, listed] = [
    await merchant.goto(`${orderbeacon.url}/console/orders`),
    await merchant.textContent('body'),
  ];
  expect(listed).toContain('bob@buyer.example');
  await merchant.goto(`${orderbeacon.url}/console/compare`);
  await merchant
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\x03\x04') });
  await merchant.getByRole('button', { name: 'Compare' }).click();
  await merchant.getByRole('alert').waitFor();
  await expectWellShown(merchant, 'a workbook', { hasScript: false });
});
