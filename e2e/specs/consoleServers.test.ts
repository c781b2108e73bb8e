import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { startOwnOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

/**
 * A balancer that passes every byte on as it comes, to the next server in turn, or the one after it if that is down. A
 * stream goes to the last server.
 */
async function startBalancer(urls: string[]) {
  let turn = 0;
  const streams: string[] = [];
  const balancer: Server = createServer((incoming, outgoing) => {
    const isStream = incoming.url!.startsWith('/console/live');
    const send = (at: number, tries: number) => {
      const target = urls[at % urls.length]!;
      const { method, headers } = incoming;
      const forwarded = httpRequest(new URL(incoming.url!, target), { method, headers }, (answer) => {
        if (isStream) streams.push(target);
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.on('error', () => outgoing.destroy());
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => {
        if (outgoing.headersSent || tries === 1) outgoing.destroy();
        else send(at + 1, tries - 1);
      });
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    };
    send(isStream ? urls.length - 1 : turn++, urls.length);
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    balancer.closeAllConnections();
    balancer.close();
  });
  return { url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`, streams };
}

it('on two servers behind a balancer a session is one, orders of either arrive live, and a dead one is no loss', async () => {
  const first = await startOwnOrderbeacon();
  onTestFinished(() => first.close());
  const second = await startOwnOrderbeacon({ ORDERBEACON_DATA_DIR: first.running.env.ORDERBEACON_DATA_DIR! });
  let isSecondUp = true;
  onTestFinished(async () => {
    if (isSecondUp) await second.close();
  });
  const servers = [first, second];
  const balancer = await startBalancer(servers.map(({ url }) => url));
  const { teamId, report } = await newTeam(first);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(first, teamId, balancer.url));

  await merchant.goto(`${balancer.url}/console/orders`);
  await merchant.getByText('New orders appear here by themselves.').waitFor();
  expect(balancer.streams.at(-1)).toBe(second.url);
  for (const { url } of servers) {
    const { orderNumber } = await report({ orderId: url }, url);
    await merchant.getByText(orderNumber).waitFor();
  }

  isSecondUp = false;
  await second.close();
  const missed = await report({ orderId: 'while-away' });
  await merchant.getByText(missed.orderNumber).waitFor();
  await merchant.getByText('New orders appear here by themselves.').waitFor();
  expect(balancer.streams.at(-1)).toBe(first.url);
  expect(await merchant.locator('#orders tbody tr').count()).toBe(3);
});
