// @module-tag slow
import { createServer, type RequestListener } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

/** A receiver on this machine; resolves with its URL. */
async function startReceiver(answer: RequestListener): Promise<string> {
  const receiver = createServer(answer);
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`;
}

it('a merchant adds a webhook, sees what it was told and why that failed, and sends it again; axe finds nothing in any step', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  const merchant = await people.newPerson({ locale: 'de-DE' });
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.getByRole('link', { name: 'Webhooks' }).click();
  await merchant.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await expectWellShown(merchant, 'no webhook');

  await merchant.getByLabel('URL that is called').fill('https://10.0.0.1/');
  await merchant.getByRole('button', { name: 'Add the webhook' }).click();
  await merchant.getByRole('alert').waitFor();
  await expectWellShown(merchant, 'a URL that is not called');
  const long = `https://${['h', 'i', 'j'].map((letter) => letter.repeat(60)).join('.')}.invalid/${'p'.repeat(1700)}`;
  await merchant.getByLabel('URL that is called').fill(long);
  await merchant.getByLabel('order.created').uncheck();
  await merchant.getByRole('button', { name: 'Add the webhook' }).click();
  await merchant.getByText(/^whsec_/).waitFor();
  await expectWellShown(merchant, 'the secret');
  await merchant.getByRole('link', { name: 'Back to the webhooks' }).click();
  await merchant.getByRole('button', { name: 'Switch off' }).click();
  await merchant.getByRole('status').getByText('is switched off').waitFor();

  let isWell = false;
  const url = await startReceiver((_, response) => {
    response.statusCode = isWell ? 200 : 500;
    response.end(isWell ? 'thanks' : '<script>alert("no")</script>'.repeat(20));
  });
  const { id } = await orderbeacon.command<{ id: string }>(
    'hook',
    'add',
    '--team',
    teamId,
    url,
    '--allow-private',
  );
  const order = await report({ orderId: 'told' });
  await expect
    .poll(async () => {
      const told = await orderbeacon.command<{ state: string }[]>('hook', 'deliveries', '--team', teamId, id);
      return told.map(({ state }) => state);
    })
    .toEqual(['failing']);
  await merchant.getByRole('link', { name: 'Webhooks', exact: true }).click();
  // The webhook is marked after its delivery.
  await expect
    .poll(async () => {
      await merchant.reload();
      return merchant.getByText('Every attempt has failed since').count();
    })
    .toBe(1);
  await expectWellShown(merchant, 'webhooks and deliveries');
  await merchant.getByRole('link', { name: 'order.created' }).click();
  await merchant.getByRole('heading', { level: 1, name: 'order.created' }).waitFor();
  await merchant.getByText('<script>alert("no")</script>').waitFor();
  expect(await merchant.getByText('"amount"').textContent()).toContain(order.orderNumber);
  await expectWellShown(merchant, 'a delivery');

  isWell = true;
  // An attempt that began before may still be on its way, and then none is added.
  await expect
    .poll(async () => {
      await merchant.getByRole('button', { name: 'Send it again' }).click();
      return merchant.getByRole('status').textContent();
    })
    .not.toContain('on its way already');
  await expect
    .poll(async () => {
      await merchant.reload();
      return merchant.textContent('main');
    })
    .toMatch(/Delivered in [\d.]+ ms: 200[\s\S]*thanks/);
  await expectWellShown(merchant, 'a delivery that arrived');

  await merchant.getByRole('link', { name: order.id }).click();
  await merchant.getByRole('button', { name: 'Send again: order.created' }).waitFor();
  await expectWellShown(merchant, 'the order that it told of');

  await merchant.getByRole('link', { name: 'Overview' }).click();
  await merchant.getByText(/The webhook to h+\./).waitFor();
  await expectWellShown(merchant, 'the overview');
});

it('a button that is pressed twice before the answer comes adds one webhook', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.goto(`${orderbeacon.url}/console/webhooks`);
  let sent = 0;
  const pressedTwice = merchant.waitForEvent('console', (message) => message.text() === 'pressed twice');
  // The server gets the form immediately. Its answer arrives after both presses.
  await merchant.route('**/console/webhooks', async (route) => {
    sent++;
    const response = await route.fetch();
    await pressedTwice;
    await route.fulfill({ response }).catch(() => {});
  });
  await merchant.getByLabel('URL that is called').fill('https://hooks.example/');
  // By the page itself: Playwright waits for an answer between two presses.
  await merchant.getByRole('button', { name: 'Add the webhook' }).evaluate((button) => {
    (button as HTMLElement).click();
    setTimeout(() => {
      (button as HTMLElement).click();
      console.log('pressed twice');
    }, 300);
  });
  await merchant.getByText(/^whsec_/).waitFor();
  expect(sent).toBe(1);
  expect(await orderbeacon.command('hook', 'list', '--team', teamId)).toHaveLength(1);
});
