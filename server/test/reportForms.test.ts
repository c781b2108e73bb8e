import { expect, it } from 'vitest';
import { sendRaw } from './rawHttp.js';
import { startServerForTest } from './server.js';

const start = async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  /** Sends a report over a socket as it stands here. */
  const sendReport = (orderId: string, [target, host, origin]: readonly [string, string, string]) => {
    const body = JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId });
    const head = [
      `POST ${target} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Content-Type: text/plain',
      'Connection: close',
      `Content-Length: ${body.length}`,
    ];
    return sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n${body}`);
  };
  return { ...server, sendReport };
};

const forms = [
  ['/svc-api/v1/orders', 'orders.example:8080'],
  ['/svc-api/v1/orders?from=a-page', 'orders.example:8080'],
  ['http://orders.example/svc-api/v1/orders', 'orders.example'],
  ['/svc-api/v1/orders', 'XN--BCHER-KVA.Example:80'],
  ['/svc-api/v1/orders', '[::1]:65000'],
] as const;
/** Without what differs from answer to answer. An id counts the requests of its process, and so grows longer. */
const shapeOf = (text: string) =>
  text.replace(
    /^(X-Request-Id|Date|Content-Length): .*|"(?:id|orderNumber|createdAt|requestId)":"[^"]*"/gm,
    '$1',
  );

it.each(['https://shop.example', 'https://other.example'])(
  'a report of %s is answered, logged and counted alike, whichever form its request has',
  async (origin) => {
    const { sendReport, lines, send, sql } = await start();
    const answers = [];
    for (const [n, form] of forms.entries()) answers.push(await sendReport(`order-${n}`, [...form, origin]));
    const isAllowed = origin === 'https://shop.example';
    expect(answers.map(({ status }) => status)).toEqual(forms.map(() => (isAllowed ? 200 : 403)));
    expect(new Set(answers.map(({ text }) => shapeOf(text))).size).toBe(1);
    expect(await sql`select order_id from placed_order`).toHaveLength(isAllowed ? forms.length : 0);

    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toHaveLength(forms.length);
    for (const [n, { requestId, ms, time, ...line }] of logged.entries()) {
      expect(answers[n]!.text).toContain(`X-Request-Id: ${requestId}\r\n`);
      expect(line).toMatchObject({
        method: 'POST',
        route: '/svc-api/v1/orders',
        outcome: isAllowed ? 'new' : 'domain_not_allowed',
      });
    }
    const { text } = await send('GET', '/metrics');
    const count = `orderbeacon_request_seconds_count{route="/svc-api/v1/orders",status="${isAllowed ? 200 : 403}"}`;
    expect(text).toContain(`${count} ${forms.length}\n`);
  },
);
