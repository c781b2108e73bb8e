import { describe, expect } from 'vitest';
import { complaintOf, documentOf, json, runOrderbeacon } from '../kit/command.js';
import { startServerForTest } from '../kit/server.js';
import { test } from '../kit/shop.js';

test('team create and list print the team as it is stored', async ({ server }) => {
  const args = ['team', 'create', '--name', 'Shop', '--storefront-url', 'https://shop.example/', '--json'];
  const team = documentOf(await runOrderbeacon(args, server.env));
  expect(team).toEqual({
    id: expect.stringMatching(/^team_/),
    name: 'Shop',
    zone: 'UTC',
    storefrontUrl: 'https://shop.example',
    requiresSignature: false,
  });
  const listed = documentOf(await runOrderbeacon(['team', 'list', '--json'], server.env));
  expect(listed).toContainEqual(team);
});

test('team edit changes what is given and nothing else', async ({ shop }) => {
  const changed = {
    id: shop.teamId,
    name: 'Store',
    zone: 'UTC',
    storefrontUrl: 'https://shop.example',
    requiresSignature: false,
  };
  expect(await json(shop, 'team edit --name Store')).toEqual(changed);
  expect(complaintOf(await shop.command('team', 'edit'))).toContain('--storefront-url');
  expect(complaintOf(await shop.command('team', 'edit', '--name', ' '))).toContain('--name');
});

test('team create allows every --domain that is given', async ({ server }) => {
  const create = ['team', 'create', '--name', 'Shop', '--domain', 'a.example', '--domain', 'localhost'];
  const made = documentOf(await runOrderbeacon([...create, '--json'], server.env));
  const domains = [
    { domain: 'a.example', isTest: false },
    { domain: 'localhost', isTest: true },
  ];
  expect(made).toMatchObject({ ...domains[0], domains });
  const list = ['domain', 'list', '--team', made.id, '--json'];
  expect(documentOf(await runOrderbeacon(list, server.env))).toEqual(domains);
});

test('team create --domain D --link allows the domain, and prints the HTML to paste and a link to the console', async ({
  server,
}) => {
  const create = (domain: string, ...more: string[]) =>
    runOrderbeacon(['team', 'create', '--name', 'Shop', '--domain', domain, ...more], server.env);
  const list = async () => documentOf(await runOrderbeacon(['team', 'list', '--json'], server.env));
  const made = documentOf(await create('Shop.example', '--link', '--json'));
  const ofTeam = (...args: string[]) => runOrderbeacon([...args, '--team', made.id, '--json'], server.env);
  expect(made).toEqual({
    ...(await list()).find(({ id }: { id: string }) => id === made.id),
    ...documentOf(await ofTeam('tag')),
    domain: 'shop.example',
    isTest: false,
    domains: [{ domain: 'shop.example', isTest: false }],
    url: expect.stringContaining('/console/sign-in#'),
    expiresAt: expect.any(String),
  });
  expect(documentOf(await ofTeam('domain', 'list'))).toEqual([{ domain: 'shop.example', isTest: false }]);
  expect((await create('localhost', '--link')).stdout).toMatch(
    /^Created team_\w+\. Its product links start with http:\/\/127\.0\.0\.1.*\nAllowed localhost\. Its orders are tests.*\n\n<!-- Every page[\s\S]+<\/script>\n\nConsole: http\S+#\S+\n.* works once, for 15 minutes/,
  );
  expect(made.storefrontUrl).toBe('https://shop.example');
  const before = await list();
  expect(complaintOf(await create('*.co.uk'))).toContain('co.uk');
  expect(await list()).toEqual(before);
});

test('a team that requires signatures says so in lists, and is told when it has no key to sign with', async ({
  shop,
}) => {
  const require = () => shop.command('team', 'edit', '--require-signature');
  expect((await require()).stdout).toContain('signing-key create');
  expect((await shop.report()).body.error.code).toBe('signature_required');
  const listed = documentOf(await runOrderbeacon(['team', 'list', '--json'], shop.server.env));
  expect(listed).toContainEqual(expect.objectContaining({ id: shop.teamId, requiresSignature: true }));
  await json(shop, 'signing-key create');
  expect((await require()).stdout).not.toContain('signing-key create');
  expect(await json(shop, 'team edit --name Store')).toMatchObject({ requiresSignature: true });
  expect(await json(shop, 'team edit --no-require-signature')).toMatchObject({ requiresSignature: false });
  expect((await shop.report()).status).toBe(200);
});

describe('a storefront URL', () => {
  test.for([
    ['https://Shop.example/', 'https://shop.example'],
    ['https://shop.example/de//', 'https://shop.example/de'],
    ['http://shop.example:8080/?', 'http://shop.example:8080'],
    ['https://shop.example/#', 'https://shop.example'],
  ] as const)('given as %s has links go on behind %s', async ([given, storefrontUrl], { shop }) => {
    expect(await json(shop, `team edit --storefront-url ${given}`)).toMatchObject({ storefrontUrl });
  });

  test.for(['', 'shop', 'ftp://shop.example', 'https://shop.example/?a=b', 'https://ann:pw@shop.example'])(
    'is not %j',
    async (url, { shop }) => {
      expect(complaintOf(await shop.command('team', 'edit', '--storefront-url', url))).toContain(
        '--storefront-url',
      );
    },
  );

  test.for<[Record<string, string>, string]>([
    [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000'],
    [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://localhost:9000'],
    [{ PUBLIC_URL: 'https://orders.shop.example/' }, 'https://orders.shop.example'],
  ])('that was not given is this server’s: %j', async ([env, storefrontUrl]) => {
    // The server that started last on a database has stored its URL there.
    const server = await startServerForTest();
    const args = ['team', 'create', '--name', 'Shop', '--json'];
    const made = documentOf(await runOrderbeacon(args, { ...server.env, ...env }));
    expect(made).toMatchObject({ storefrontUrl });
  });
});
