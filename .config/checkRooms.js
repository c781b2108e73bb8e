// Part of `npm run check`: the imports between rooms. Biome finds circles of files, but has no short form of this table.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * The rooms of the server by rank. Each imports only rooms of lower ranks. First come the ground and the core. Then come the two
 * frames that features need, the host into which features are installed, the features, and the rooms that wire all.
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
 * Pairs of features of which the first may import the second. A shop's invalid event is kept like a refused report. A plugin for
 * shops contains the address and the secret of a source. The demo team has a product.
 * @type {Record<string, string>}
 */
const pairs = {
  'features/sources': 'features/refused',
  'features/wooPlugin': 'features/sources',
  'features/demo': 'features/catalog',
};

/**
 * Packages that each room may import. With `type x` it may import only types of x.
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
  'features/citus': ['prom-client'],
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
 * Lists the imports of every source file below a folder, with the packages or the paths from the root that they name.
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
 * Finds the room of a file of the server. It is the folder below `src`; in `core` and `features` the folder below that; in
 * `core/orders` also `store`, `receive` and `answer`. A file at the root is a room itself.
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
  // The contract has only types.
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
 * The SDK depends on no package, and only the entry of the script may import an entry.
 * @param {Import} statement
 */
const isAllowedInSdk = ({ from, to }) =>
  to.startsWith('sdk/src/') && (!/\/(?:index|script)\.ts$/.test(to) || from === 'sdk/src/script.ts');

/**
 * The client for backends may import only the contract's types from the browser's part.
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
