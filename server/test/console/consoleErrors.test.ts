import { expect } from 'vitest';
import { textOf } from '../kit/html.js';
import { type Shop, test } from '../kit/shop.js';

/** Requests a path as the shop's viewer. Resolves with the answer and its one line in the log. */
async function ask(shop: Shop, method: string, path: string, more: Record<string, string> = {}) {
  const { cookie, home } = await shop.console();
  const requestId = `${shop.teamId}-${method}-${path.replaceAll('/', '.')}`;
  const headers = { cookie, 'x-request-id': requestId, ...more };
  const {
    status,
    text,
    headers: got,
  } = await shop.server.send(method, path.replace('HOME', home), { headers });
  const lines = shop.server.lines.map((line) => JSON.parse(line));
  return { status, text, got, requestId, lines: lines.filter((line) => line.requestId === requestId) };
}

test.for([
  ['GET', 'HOME/orders/nobody', 404, 'No order of this team has that id.', 'not_found'],
  ['GET', '/console/nowhere', 404, 'Nothing is served under this path.', 'not_found'],
  [
    'POST',
    'HOME/setup/domains',
    403,
    'This form was not sent by a page of this console.',
    'domain_not_allowed',
  ],
] as const)(
  '%s %s is a page of status %i that says why, and one line of the log',
  async ([method, path, status, words, outcome], { shop }) => {
    const answer = await ask(shop, method, path, { origin: 'https://elsewhere.example' });
    expect([answer.status, answer.got.get('content-type')]).toEqual([status, 'text/html; charset=UTF-8']);
    expect(answer.got.get('x-request-id')).toBe(answer.requestId);
    expect(textOf(answer.text)).toContain(`This did not work ${words}`);
    expect(textOf(answer.text)).toContain(`Request ${answer.requestId}`);
    expect(answer.lines).toMatchObject([{ method, status, outcome }]);
  },
);

test.for([
  ['GET', '/console/assets/none.js', 404, 'not_found'],
  ['POST', '/console/assets/none.js', 405, 'method_not_allowed'],
] as const)(
  '%s %s, which is no page, has the answer of the API',
  async ([method, path, status, code], { shop }) => {
    const origin = shop.server.url;
    const answer = await ask(shop, method, path, { origin });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { error: { code } }]);
    expect(answer.lines).toMatchObject([{ method, status, outcome: code }]);
  },
);
