import { expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { postForm, signIn } from './console.js';
import { sendTo, startServerForTest } from './server.js';

/** The links of a page to documents of this server. */
const helpIn = (html: string) => [...html.matchAll(/ href="([^"]*\/docs\/[^"]*)"/g)].map(([, link]) => link!);

it('each page of the console leads to a document, and each of these is on the server, with its heading', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  const order = { teamId, email: 'ann@buyer.example', amount: 1, orderId: '1' };
  await server.report(order, { origin: 'https://other.example' });
  await server.report({ ...order, amount: 'much' });
  const console = await signIn(server, teamId);
  const helpOf = {
    '/console': '/docs/merchants',
    '/console/orders': '/docs/merchants',
    '/console/refused': '/docs/errors/domain_not_allowed',
    '/console/webhooks': '/docs/webhooks',
    '/console/setup': '/docs/sources',
    '/console/setup#signing': '/docs/recipes/signed',
    '/console/check': '/docs/sdk/debugging',
  };
  for (const [path, help] of Object.entries(helpOf)) {
    const url = new URL(path, server.url);
    const { status, text } = await console.get(path);
    const links = helpIn(text);
    expect([path, status, links]).toEqual([path, 200, expect.arrayContaining([help])]);
    for (const link of new Set(links)) {
      const target = new URL(link, url);
      const document = await server.send('GET', target.pathname);
      expect([path, link, document.status]).toEqual([path, link, 200]);
      expect(document.text).toContain(target.hash && ` id="${target.hash.slice(1)}"`);
    }
  }
});

it('a colleague who may look only reads why a page cannot be checked, and others have the form', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  const env = { ...server.env, PUBLIC_URL: server.url };
  const { stdout } = await runOrderbeacon(['console', '--team', teamId, '--read-only', '--json'], env);
  const token = new URL(JSON.parse(stdout).url).hash.slice(1);
  const { headers } = await postForm(server.url, '/console/sign-in', { token });
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  const shown = await sendTo(new URL('/console/check', server.url), 'GET', { headers: { cookie } });
  expect(shown.text).toContain('There is no form here, because you were let in to look only.');
  expect(shown.text).not.toContain('name="address"');

  const { text } = await (await signIn(server, teamId)).get('/console/check');
  expect(text).not.toContain('look only');
  expect(text).toContain('name="address"');
});
