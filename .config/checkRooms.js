// Part of `npm run check`: the imports between rooms. Biome finds circles of files, but has no short way to say this table.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Allowed imports of each room. Every room may import `values`, and `type x` allows types only. A room that is not
 * listed, which may be a file at the root, may import nothing but `values`. A new feature is a new line beside its peers.
 * @type {Record<string, readonly string[]>}
 */
const mayImport = {
  values: ['csv-parse', 'csv-stringify/sync', 'ipaddr.js', 'undici', 'zod'],
  config: ['zod'],
  embedded: ['#postgres'],
  database: ['embedded', '#postgres', 'type postgres'],
  core: ['database'],
  http: ['database', 'type @hono/node-server', 'type hono', 'hono/route', 'hono/secure-headers'],
  teams: ['database', 'http', 'tldts'],
  monitoring: ['database', 'http', 'type hono', 'pino', 'prom-client'],
  products: ['database', 'http', 'teams', 'entities/decode', 'zod'],
  hooks: ['people', 'orders', 'core', 'database'],
  people: ['core', 'database', 'http', 'teams', 'zod'],
  orders: ['core', 'database', 'hooks', 'http', 'people', 'teams', 'entities/decode', 'zod'],
  refused: ['database', 'http', 'orders', 'teams'],
  sources: ['database', 'http', 'orders', 'refused', 'teams'],
  compare: ['database', 'orders', 'teams'],
  site: [
    'database',
    'http',
    'orders',
    'people',
    'products',
    'refused',
    'teams',
    '#answerSchemas',
    'hono',
    'hono/etag',
    'hono/html',
    'hono/secure-headers',
    'htmlparser2',
    'marked',
    'zod',
  ],
  console: [
    'core',
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
    'type hono/utils/http-status',
  ],
  app: [
    'core',
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
    'hono/method-not-allowed',
    'type pino',
  ],
  commands: [
    'core',
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
    'pino',
    'zod',
    'type server/testing/index.ts',
  ],
  cli: ['commands'],
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
 * The room of a file of the server: its folder below `src`, or its own name where it lies at the root.
 * @param {string} path
 */
const roomOf = (path) =>
  path
    .replace('server/src/', '')
    .split('/')[0]
    ?.replace(/\.tsx?$/, '') ?? '';

/** @typedef {ReturnType<typeof importsOf>[number]} Import */

/** @param {Import} statement */
function isAllowedInServer({ from, to, isType }) {
  if (to.startsWith('node:')) return true;
  // The contract is types alone.
  if (to.startsWith('@orderbeacon/sdk')) return isType && to === '@orderbeacon/sdk/contract';
  const [own, other] = [roomOf(from), to.startsWith('server/src/') ? roomOf(to) : to];
  if (other === own || other === 'values') return true;
  const allowed = mayImport[own] ?? [];
  return allowed.includes(other) || (isType && allowed.includes(`type ${other}`));
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
const empty = Object.keys(mayImport).filter((room) => !rooms.has(room));
for (const room of empty) console.error(`The room ${room} of .config/checkRooms.js has no files.`);

if (strangers.length + empty.length > 0) process.exitCode = 1;
