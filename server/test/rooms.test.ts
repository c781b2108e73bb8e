import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCircle, findStrangers, importsOf, roomOf } from './rooms.js';

/** What is neither a room of its own nor has effects: every room may import it. */
const pure = [
  'csvCells',
  'accessTokens',
  'boundedMap',
  'isoTime',
  'domains',
  'entityTag',
  'errors',
  'groupCounts',
  'ids',
  'keys',
  'placement',
  'sanitizeForTerminal',
  'within',
];
const wiring = ['config', 'resolvePublicUrl', 'type hono', 'type pino'];

/**
 * Who may import whom; `type x` allows types alone. A room that is not listed, a file at the root among them, may
 * import nothing.
 */
const mayImport = {
  csvCells: ['csv-stringify/sync'],
  cli: ['commander', 'commands', 'config', 'database', 'sanitizeForTerminal'],
  commands: [
    ...pure,
    ...wiring,
    'commander',
    'csv-parse',
    'database',
    'doctor',
    'groupCommit',
    'orders',
    'pages',
    'products',
    'refused',
    'schemas',
    'serve',
    'sql',
  ],
  serve: ['type config', 'database', 'listen', 'monitoring', 'pages', 'pools', 'sql'],
  listen: [
    ...pure,
    ...wiring,
    '@hono/node-server',
    'app',
    'type groupCommit',
    'groupCommits',
    'http',
    'monitoring',
    'type pages',
    'type pools',
    'refused',
    'sql',
  ],
  pools: ['database'],
  app: [
    ...pure,
    ...wiring,
    'hono',
    '@hono/node-server/utils/response',
    'console',
    'database',
    'endpoints',
    'http',
    'type monitoring',
    'routes',
  ],
  endpoints: ['type database', 'type groupCommits', 'http', 'type refused', 'routes'],
  accessTokens: ['ids'],
  domains: ['tldts'],
  console: [
    ...pure,
    'hono',
    'hono/cookie',
    'hono/jsx',
    'hono/streaming',
    'database',
    'http',
    'orders',
    'pages',
    'refused',
    'type schemas',
    'sql',
  ],
  routes: [
    ...pure,
    'type hono',
    'hono/html',
    'database',
    'type groupCommits',
    'http',
    'type monitoring',
    'openapi',
    'orders',
    'pages',
    'products',
    'schemas',
    'sql',
  ],
  groupCommits: [
    ...pure,
    'groupCommit',
    'machines',
    'type monitoring',
    'orders',
    'pools',
    'products',
    'recognition',
    'sql',
    'submitReport',
  ],
  machines: [...pure, 'groupCommit'],
  recognition: [...pure, 'groupCommit'],
  submitReport: [...pure, 'type orders', 'type recognition', 'type sql'],
  groupCommit: ['errors', 'groupCounts', 'runInParts', 'statementSlots'],
  statementSlots: ['groupCounts'],
  runInParts: ['errors', 'database'],
  http: [
    ...pure,
    'type @hono/node-server',
    'type hono',
    'hono/route',
    'database',
    'type monitoring',
    'type pino',
    'schemas',
    'type recognition',
    'type refused',
    'sql',
  ],
  refused: [...pure, 'database', 'groupCommit', 'orders', 'schemas', 'sql'],
  orders: [...pure, 'csv-stringify/sync', 'database', 'schemas', 'sql'],
  products: [...pure, 'database', 'schemas', 'sql'],
  doctor: [...pure, 'database', 'sql'],
  pages: [...pure, 'database', 'type http', 'openapi', 'products', 'schemas', 'sql'],
  monitoring: [...pure, 'type config', 'type database', 'type groupCommit', 'pino', 'prom-client', 'sql'],
  openapi: ['errors', 'schemas'],
  schemas: ['zod'],
  sql: ['type database', 'type ids', 'type keys'],
  database: ['databaseUrl', 'embedded', 'errors', 'postgres'],
  embedded: ['errors'],
  config: ['configError', 'databaseUrl', 'settingsFile'],
  databaseUrl: ['configError'],
  settingsFile: ['configError'],
  resolvePublicUrl: ['type config'],
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
    ['a statement that imports a file at the root', planted('sql/findKey.ts', 'errors.ts')],
    ['a file at the root that imports a route', planted('ids.ts', 'routes/postOrder.ts')],
    ['a schema that takes more than types of a room', planted('sql/findKey.ts', 'ids.ts')],
    ['a package that a room has no use for', planted('schemas/order.ts', 'hono')],
    ['values of the contract, which has none', planted('errors.ts', '@orderbeacon/sdk/contract')],
  ])('%s', (_, broken) => {
    expect(findStrangers([broken], mayImport)).toHaveLength(1);
  });

  it('a circle over three files and two rooms', () => {
    const circle = [
      planted('sql/a.ts', 'ids.ts', true),
      planted('ids.ts', 'keys.ts'),
      planted('keys.ts', 'sql/a.ts'),
      planted('keys.ts', 'domains.ts'),
    ];
    expect(findCircle(circle)).toEqual([
      'server/src/sql/a.ts',
      'server/src/ids.ts',
      'server/src/keys.ts',
      'server/src/sql/a.ts',
    ]);
    expect(findCircle(circle.filter(({ to }) => !to.endsWith('a.ts')))).toBeNull();
  });
});
