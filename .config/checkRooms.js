// Part of `npm run check`: the imports between rooms. Biome finds circles of files, but has no short way to say this table.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * The rooms of the server by rank: each imports those of lower ranks only. The ground comes first, then the core, the two frames
 * that features stand on, the host that they are installed in, the features, and what wires all.
 */
const ranks = [
  ['values'],
  ['config', 'embedded'],
  ['database'],
  ['http'],
  ['monitoring'],
  ['core'],
  ['core/teams'],
  ['core/people', 'core/products', 'core/script'],
  ['core/orders'],
  ['core/orders/store'],
  ['core/orders/receive'],
  ['core/refunds'],
  ['core/orders/answer'],
  ['api'],
  ['commands'],
  ['console'],
  ['host'],
  ['features/*'],
  ['app'],
  ['cli'],
];

/**
 * The pairs of features of which one may import the other: what a shop sends wrongly is kept like any report, a plugin for shops
 * contains the address and the secret of a source, and the demo team has a product.
 * @type {Record<string, string>}
 */
const pairs = {
  'features/sources': 'features/refused',
  'features/wooPlugin': 'features/sources',
  'features/demo': 'features/catalog',
};

/**
 * The packages that each room may import; `type x` allows types only.
 * @type {Record<string, readonly string[]>}
 */
const packages = {
  values: ['csv-parse', 'csv-stringify/sync', 'ipaddr.js', 'undici', 'zod'],
  config: ['zod'],
  embedded: ['#postgres'],
  database: ['#postgres', 'type postgres'],
  http: ['@hono/node-server', 'hono/route', 'hono/secure-headers', 'type hono', 'type zod'],
  monitoring: ['pino', 'prom-client', 'type hono'],
  'core/teams': ['tldts'],
  'core/people': ['zod'],
  'core/script': ['hono', 'hono/etag'],
  'core/orders/receive': ['entities/decode', 'zod'],
  'core/refunds': ['zod'],
  host: ['type commander', 'type hono', 'type prom-client'],
  commands: ['commander'],
  console: [
    'type commander',
    'hono',
    'hono/body-limit',
    'hono/cookie',
    'hono/csrf',
    'hono/etag',
    'hono/html',
    'hono/jsx-renderer',
    'type hono/jsx',
    'type hono/utils/http-status',
  ],
  'features/backup': ['prom-client', 'type commander', 'zod'],
  'features/catalog': ['entities/decode', 'type commander', 'zod'],
  'features/compare': ['commander', 'hono', 'type hono/jsx'],
  'features/demo': ['hono', 'hono/html', 'hono/secure-headers'],
  'features/docs': ['#answerSchemas', 'hono', 'hono/etag', 'hono/html', 'marked', 'zod'],
  'features/doctor': ['type commander'],
  'features/overview': ['type commander', 'type hono/jsx'],
  'features/pageCheck': ['htmlparser2'],
  'features/refused': ['prom-client', 'hono', 'type commander'],
  'features/sources': ['prom-client', 'commander', 'hono', 'type hono/jsx'],
  'features/testing': ['type server/testing/index.ts', 'pino', 'type commander'],
  'features/webhooks': ['hono', 'prom-client', 'type commander'],
  'features/wooPlugin': ['fflate'],
  app: ['commander', 'hono', 'hono/method-not-allowed', 'type pino'],
};

/**
 * The imports of every source file below a folder, with the packages or the paths from the root that they name.
 * @param {string} folder
 */
function importsOf(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const from = join(folder, name);
      const statements = readFileSync(join(root, from), 'utf8').matchAll(
        /^(?:import|export)\s+(type\s)?[^;'"]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm,
      );
      return [...statements].map(([, type, fixed, bare, lazy]) => {
        const target = fixed ?? bare ?? lazy ?? '';
        const path = relative(root, join(root, dirname(from), target)).replace(/(\.js|\.ts)?$/, '.ts');
        return { from, to: target.startsWith('.') ? path : target, isType: type !== undefined };
      });
    });
}

/**
 * The room of a file of the server: its folder below `src`, of the core and the features that below it (of orders one more), or its own name where it
 * lies at the root.
 * @param {string} path
 */
function roomOf(path) {
  const [first = '', second = '', ...rest] = path.replace('server/src/', '').split('/');
  const ofOrders = /^server\/src\/(core\/orders\/(?:store|receive|answer))\//.exec(path);
  if (ofOrders) return ofOrders[1] ?? '';
  if (rest.length > 0 && ['core', 'features'].includes(first)) return `${first}/${second}`;
  return first.replace(/\.tsx?$/, '');
}

/** @param {string} room */
const rankOf = (room) =>
  ranks.findIndex((rank) => rank.includes(room.startsWith('features/') ? 'features/*' : room));

/** @typedef {ReturnType<typeof importsOf>[number]} Import */

/** @param {Import} statement */
function isAllowedInServer({ from, to, isType }) {
  if (to.startsWith('node:')) return true;
  // The contract is types alone.
  if (to.startsWith('@orderbeacon/sdk')) return isType && to === '@orderbeacon/sdk/contract';
  const room = roomOf(from);
  if (!to.startsWith('server/src/')) {
    const allowed = packages[room] ?? [];
    return allowed.includes(to) || (isType && allowed.includes(`type ${to}`));
  }
  const other = roomOf(to);
  return other === room || rankOf(other) < rankOf(room) || pairs[room] === other;
}

/**
 * The SDK depends on no package, and nothing imports its two entries but the script its own.
 * @param {Import} statement
 */
const isAllowedInSdk = ({ from, to }) =>
  to.startsWith('sdk/src/') && (!/\/(?:index|script)\.ts$/.test(to) || from === 'sdk/src/script.ts');

/**
 * The client for backends knows of the browser's part nothing but the contract's types.
 * @param {Import} statement
 */
const isAllowedInClient = ({ to, isType }) =>
  to.startsWith('sdk/client/') || (isType && to === 'sdk/src/contract.ts');

const server = importsOf('server/src');
const strangers = [
  ...server.filter((each) => !isAllowedInServer(each)),
  ...importsOf('sdk/src').filter((each) => !isAllowedInSdk(each)),
  ...importsOf('sdk/client').filter((each) => !isAllowedInClient(each)),
];
for (const { from, to } of strangers) console.error(`${from} imports ${to}, which its room may not.`);

const rooms = new Set(server.map(({ from }) => roomOf(from)));
const placeless = [...rooms].filter((room) => rankOf(room) === -1);
for (const room of placeless) console.error(`The room ${room} has no rank in .config/checkRooms.js.`);
const empty = [...new Set([...ranks.flat(), ...Object.keys(packages)])].filter(
  (room) => room !== 'features/*' && !rooms.has(room),
);
for (const room of empty) console.error(`The room ${room} of .config/checkRooms.js has no files.`);

if (strangers.length + placeless.length + empty.length > 0) process.exitCode = 1;
