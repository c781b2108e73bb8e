import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeId } from '../src/values/ids.js';
import { wooOrder } from '../test/features/sources/kit/wooCommerceSamples.js';
import type { Candidate } from './candidate.js';

const json = { 'content-type': 'application/json' };

/** Adds a source, a webhook and a browser of the console to a candidate's team. Returns functions that buy and read there. */
export async function createSoakShop({ server, teamId, bearer, run }: Candidate) {
  const answers: Record<string, number> = {};
  let delivered = 0;
  const receiver = createServer((request, response) => {
    delivered++;
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  await run(['hook', 'add', '--team', teamId, `http://127.0.0.1:${port}/`, '--allow-private']);
  const source = await run<{ url: string; secret: string }>([
    'source',
    'add',
    '--team',
    teamId,
    'woocommerce',
  ]);
  const cookie = await signIn();
  let bought = 0;

  async function ask(name: string, path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(new URL(path, server.url), { redirect: 'manual', ...init });
    await answer.text();
    answers[`${name} ${answer.status}`] = (answers[`${name} ${answer.status}`] ?? 0) + 1;
    return answer;
  }

  async function signIn(): Promise<string> {
    const { url } = await run<{ url: string }>(['console', '--team', teamId]);
    const headers = { origin: server.url, cookie: 'orderbeacon_probe=1' };
    const body = new URLSearchParams({ token: new URL(url).hash.slice(1) });
    const opened = await ask('sign-in', '/console/sign-in', { method: 'POST', headers, body });
    return opened.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
  }

  /** Makes a purchase. Of ten, a page and a backend report three, a shop sends one, and one is refunded. All pages repeat. */
  async function buy(): Promise<void> {
    const number = ++bought;
    const orderId = `soak-${number}`;
    const report = {
      teamId,
      email: `buyer-${number % 5_000}@mail.example`,
      amount: 49.9,
      currency: 'EUR',
      orderId,
    };
    const body = JSON.stringify(report);
    const page = {
      method: 'POST',
      headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
      body,
    };
    const byKey = { ...json, authorization: bearer };
    if (number % 10 === 0) {
      const order = JSON.stringify(wooOrder(number, { number: orderId }));
      const signature = createHmac('sha256', source.secret).update(order).digest('base64');
      const headers = { ...json, 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': signature };
      await ask('source', new URL(source.url).pathname, { method: 'POST', headers, body: order });
      return;
    }
    await ask('page', '/svc-api/v1/orders', page);
    await ask('page again', '/svc-api/v1/orders', page);
    if (number % 10 < 4) await ask('key', '/svc-api/v1/orders', { method: 'POST', headers: byKey, body });
    if (number % 10 === 5) {
      const refund = JSON.stringify({ orderId, refundId: `r-${number}`, amount: 9.9 });
      await ask('refund', '/svc-api/v1/orders/refunds', { method: 'POST', headers: byKey, body: refund });
    }
  }

  return {
    team: decodeId('team', teamId)!,
    buy,
    /** Does what an open page does: asks for the version, and loads the page again. */
    async lookAtConsole(): Promise<void> {
      await ask('live', `/console/${teamId}/live`, { headers: { cookie } });
      await ask('console', `/console/${teamId}/orders`, { headers: { cookie } });
    },
    async close() {
      receiver.closeAllConnections();
      receiver.close();
      return { bought, answers, delivered };
    },
  };
}
