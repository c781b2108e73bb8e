import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCircle, findStrangers, importsOf, roomOf } from './rooms.js';

/**
 * Allowed imports of each room. Every room may import `values`, and `type x` allows types only. A room that is not
 * listed, which may be a file at the root, may import nothing but `values`. A new feature is a new line beside its peers.
 */
const mayImport = {
  values: ['csv-stringify/sync', 'ipaddr.js', 'zod'],
  config: ['zod'],
  embedded: ['postgres'],
  database: ['embedded', '#postgres', 'type postgres'],
  http: ['database', 'type @hono/node-server', 'type hono', 'hono/route', 'hono/secure-headers'],
  teams: ['database', 'http', 'tldts'],
  monitoring: ['database', 'http', 'type hono', 'pino', 'prom-client'],
  products: ['database', 'http', 'teams', 'zod'],
  hooks: ['database'],
  people: ['database', 'hooks', 'http', 'teams', 'zod'],
  orders: ['database', 'hooks', 'http', 'people', 'teams', 'zod'],
  refused: ['database', 'http', 'orders', 'teams'],
  sources: ['database', 'http', 'orders', 'refused', 'teams'],
  compare: ['database', 'orders', 'teams', 'csv-parse'],
  site: [
    'database',
    'http',
    'orders',
    'people',
    'products',
    'refused',
    'teams',
    'hono',
    'hono/etag',
    'hono/html',
    'hono/secure-headers',
    'marked',
    'zod',
  ],
  console: [
    'compare',
    'database',
    'hooks',
    'http',
    'orders',
    'refused',
    'site',
    'sources',
    'teams',
    'hono',
    'hono/body-limit',
    'hono/cookie',
    'hono/csrf',
    'hono/etag',
    'hono/html',
    'hono/jsx',
    'hono/jsx-renderer',
    'hono/streaming',
    'type hono/utils/http-status',
  ],
  app: [
    'config',
    'console',
    'database',
    'hooks',
    'http',
    'monitoring',
    'orders',
    'people',
    'products',
    'refused',
    'site',
    'sources',
    'teams',
    '@hono/node-server',
    'hono',
    'type pino',
  ],
  commands: [
    'app',
    'compare',
    'config',
    'database',
    'hooks',
    'orders',
    'people',
    'products',
    'refused',
    'site',
    'sources',
    'teams',
    'commander',
    'csv-parse',
    'pino',
    'zod',
    'type server/testing/index.ts',
  ],
  cli: ['commands'],
};

describe('the server', () => {
  const imports = importsOf('server/src');

  it('has no import that its rooms do not allow', () => {
    expect(imports.length).toBeGreaterThan(200);
    expect(findStrangers(imports, mayImport)).toEqual([]);
  });

  it('has no room in the table that no file lies in', () => {
    const rooms = new Set(imports.map(({ from }) => roomOf(from)));
    expect(Object.keys(mayImport).filter((room) => !rooms.has(room))).toEqual([]);
  });

  it('takes nothing of the contract but types', () => {
    const contract = imports.filter(({ to }) => to.startsWith('@orderbeacon/sdk'));
    expect(contract.length).toBeGreaterThan(0);
    expect(contract.filter(({ to, isType }) => to !== '@orderbeacon/sdk/contract' || !isType)).toEqual([]);
  });
});

describe('the SDK', () => {
  const imports = importsOf('sdk/src');

  it('depends on no package, and nothing imports its two entries but the script its own', () => {
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter(({ to }) => !to.startsWith('sdk/src/'))).toEqual([]);
    const entries = imports.filter(({ to }) => ['index.ts', 'script.ts'].includes(basename(to)));
    expect(entries.filter(({ from }) => basename(from) !== 'script.ts')).toEqual([]);
  });

  it('has a client for backends that knows of the browser’s part nothing but the contract’s types', () => {
    const imports = importsOf('sdk/client');
    expect(imports.length).toBeGreaterThan(0);
    const strangers = imports.filter(
      ({ to, isType }) => !to.startsWith('sdk/client/') && !(to === 'sdk/src/contract.ts' && isType),
    );
    expect(strangers).toEqual([]);
  });
});

it.each(['server/src', 'sdk/src', 'e2e/browsers', 'e2e/harness', 'server/bench', 'server/test'])(
  'no file below %s imports itself, by whatever way round',
  (folder) => {
    const imports = importsOf(folder);
    expect(imports.length).toBeGreaterThan(0);
    expect(findCircle(imports)).toBeNull();
  },
);

describe('a wall that is broken is reported', () => {
  const planted = (from: string, to: string, isType = false) => ({
    from: `server/src/${from}`,
    to: to.includes('.ts') ? `server/src/${to}` : to,
    isType,
  });

  it.each([
    ['a value that imports a file at the root', planted('values/ids.ts', 'config.ts')],
    ['a file at the root that imports a route', planted('config.ts', 'orders/postOrder.ts')],
    ['a feature that imports a peer', planted('products/getProduct.ts', 'orders/postOrder.ts')],
    ['more than types of a package of which types are allowed', planted('http/exchange.ts', 'hono')],
    ['a package that a room has no use for', planted('orders/reportSchema.ts', 'hono')],
    ['values of the contract, which has none', planted('values/errors.ts', '@orderbeacon/sdk/contract')],
  ])('%s', (_, broken) => {
    expect(findStrangers([broken], mayImport)).toHaveLength(1);
  });

  it('a circle over three files and three rooms', () => {
    const circle = [
      planted('orders/a.ts', 'values/ids.ts', true),
      planted('values/ids.ts', 'teams/keys.ts'),
      planted('teams/keys.ts', 'orders/a.ts'),
      planted('teams/keys.ts', 'teams/domains.ts'),
    ];
    expect(findCircle(circle)).toEqual([
      'server/src/orders/a.ts',
      'server/src/values/ids.ts',
      'server/src/teams/keys.ts',
      'server/src/orders/a.ts',
    ]);
    expect(findCircle(circle.filter(({ to }) => !to.endsWith('a.ts')))).toBeNull();
  });
});
