import { expect, it } from 'vitest';
import { tables } from '../../src/database/tables.js';
import { appPaths } from '../kit/appRoutes.js';
import { signIn } from '../kit/console.js';
import { startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';

/** Matches internals: names of tables and columns, SQL, PostgreSQL's messages, and locations in the program. */
const internals =
  /"\w+" does not exist|relation|column|select |insert |update |postgres|\bat \S+ ?\(|\.[jt]sx?:\d|node_modules\/(?!\.bin)/i;

it('where a table is missing, every page and endpoint that fails says nothing of it', async () => {
  const server = await startServerForTest();
  const shop = await openShop(server);
  const [{ cookie }, key] = [await signIn(server, shop.teamId), await shop.liveKey()];
  const needed = ['team', 'domain', 'api_key', 'console_session', 'source', 'installation'];
  for (const table of tables.filter((name) => !needed.includes(name)))
    await server.sql`alter table ${server.sql(table)} rename to ${server.sql(`${table}_gone`)}`;
  const failed: string[] = [];
  for (const route of await appPaths()) {
    const [method, path] = route.split(' ') as [string, string];
    // A stream does not end, and a signed-out browser sees no page.
    if (/[/](live|sign-out)$/.test(path)) continue;
    const isForm = path.startsWith('/console') && method === 'POST';
    const order = {
      teamId: shop.teamId,
      email: 'ann@buyer.example',
      amount: 1,
      orderId: 'o-1',
      refundId: 'r-1',
    };
    const sent = server.send(method, path.replace(':team', shop.teamId).replace(/:\w+/, 'ord_0'), {
      headers: {
        cookie,
        origin: isForm ? server.url : shop.origin,
        authorization: `Bearer ${key}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      ...(method === 'POST' && {
        body: isForm ? `domain=${shop.domain}` : JSON.stringify(order),
      }),
    });
    // A file that began before its rows failed is cut off.
    const { status, text } = (await sent.catch(() => null)) ?? { status: 200, text: '' };
    if (status < 500) continue;
    failed.push(route);
    expect([route, text.match(internals)]).toEqual([route, null]);
  }
  expect(failed.length).toBeGreaterThan(10);
});
