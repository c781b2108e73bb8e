// @module-tag all
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBrowser } from '../browsers/find.ts';
import { setUpChromium } from '../harness/engines.ts';
import { exampleOf } from '../harness/examples.ts';
import { type Orderbeacon, type OwnOrderbeacon, startOrderbeacon } from '../harness/orderbeacon.ts';
import { installPackages, type Packages } from '../harness/packages.ts';
import { type PageServer, startPageServer } from '../harness/pages.ts';
import { withCommandRunner } from '../harness/shared.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A made-up release of the SDK, whose script is the packed one. */
const release = '0.0.1';

const browser = setUpChromium();
let packages: Packages;
/** The packed server, not that of the repository. */
let orderbeacon: OwnOrderbeacon;
/** The same server. The run's command process lists its orders. */
let quick: Orderbeacon;
let pages: PageServer;
let teamId: string;
let apiKey: string;
beforeAll(async () => {
  packages = await installPackages();
  const sdk = join(packages.host, 'node_modules/@orderbeacon/sdk');
  for (const file of ['track.js', 'debug.js'])
    await cp(join(sdk, 'dist', file), join(sdk, 'released', release, file));
  const executable = join(packages.host, 'node_modules/@orderbeacon/server/bin/orderbeacon.js');
  [orderbeacon, pages] = await Promise.all([startOrderbeacon({}, executable), startPageServer()]);
  quick = await withCommandRunner(orderbeacon.running);
  teamId = (await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop')).id;
  apiKey = (await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId)).key;
  await orderbeacon.command('domain', 'add', '--team', teamId, 'shop.localhost');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await pages?.close();
  await orderbeacon?.close();
  await packages?.close();
});

/** Counts the stored orders with an `orderId`. */
const stored = async (orderId: string) =>
  (await quick.orders(teamId)).filter((order) => order.orderId === orderId).length;

/** Runs a program of the integrator with Node, and returns its output. */
async function runProgram(path: string, orderId: string): Promise<unknown> {
  const env = {
    PATH: process.env.PATH,
    SERVER: orderbeacon.url,
    API_KEY: apiKey,
    TEAM: teamId,
    ORDER_ID: orderId,
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { env });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** The code of every program below. It reports an order with the packages, and prints the result. */
const body = `
async function report() {
  const { SERVER, API_KEY, TEAM, ORDER_ID } = process.env;
  const client = createClient({ baseUrl: SERVER, apiKey: API_KEY });
  const order = await client.orders.report({ teamId: TEAM, email: 'ann@shop.example', amount: 49.9, orderId: ORDER_ID });
  const refusal = await client.products.get('none').catch((error) => error instanceof OrderbeaconError && error.code);
  const { track } = createTracker({ teamId: TEAM, endpoint: SERVER });
  const { status } = await track('order', { email: 'ann@shop.example', amount: 1 });
  console.log(JSON.stringify({ isNew: order.isNew, refusal, status }));
}`;
/** The expected output. Outside of a browser a tracker refuses, and its result says so. */
const expected = { isNew: true, refusal: 'product_not_found', status: 'refused' };

const asEsModule = `import { createTracker } from '@orderbeacon/sdk';
import { createClient, OrderbeaconError } from '@orderbeacon/sdk/client';
${body}
report();`;

/** The same in TypeScript, with lines that must not compile. If types were `any`, they would. */
const asTypeScript = `import { createTracker, type Tracker, type TrackResult } from '@orderbeacon/sdk';
import { type Client, createClient, type Order, OrderbeaconError } from '@orderbeacon/sdk/client';
import type { OrderReport, Product } from '@orderbeacon/sdk/contract';
declare const process: { env: Record<'SERVER' | 'API_KEY' | 'TEAM' | 'ORDER_ID', string> };
declare const console: { log(line: string): void };
${body}
report();
export type Used = [Tracker, TrackResult, Client, Order, OrderReport, Product];
export async function mistakes(client: Client, tracker: Tracker, product: Product) {
  // @ts-expect-error only a delivered report has an order
  (await tracker.track('order', { email: 'ann@shop.example', amount: 1 })).order;
  // @ts-expect-error an amount is needed
  client.orders.report({ teamId: 'team_1', email: 'ann@shop.example' });
  // @ts-expect-error an email is needed
  tracker.track('order', { amount: 1 });
  // @ts-expect-error a title is a text
  product.title = 1;
}`;

async function write(path: string, text: string): Promise<string> {
  const full = join(packages.shop, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, text);
  return full;
}

/** Bundles a module with the packages, as a shop's build does. */
async function bundle(entry: string, outDir: string, mode: 'production' | 'development') {
  // Otherwise Vite would take the mode of the test run.
  vi.stubEnv('NODE_ENV', mode);
  await build({
    root: dirname(entry),
    configFile: false,
    logLevel: 'silent',
    mode,
    build: { outDir, lib: { entry, formats: ['es'], fileName: 'shop' } },
  });
}

describe('the SDK’s tarball, installed by npm without a network and without the server', () => {
  it('brings no other package along', () => {
    expect(readdirSync(join(packages.shop, 'node_modules/@orderbeacon'))).toEqual(['sdk']);
    const others = readdirSync(join(packages.shop, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(others).toEqual(['@orderbeacon']);
  });

  it.each([
    ['an ES module', 'report.mjs', asEsModule],
    [
      'CommonJS by import()',
      'import.cjs',
      `let createTracker, createClient, OrderbeaconError;
${body}
Promise.all([import('@orderbeacon/sdk'), import('@orderbeacon/sdk/client')]).then(([sdk, client]) => {
  ({ createTracker } = sdk);
  ({ createClient, OrderbeaconError } = client);
  return report();
});`,
    ],
    [
      'CommonJS by require()',
      'require.cjs',
      `const { createTracker } = require('@orderbeacon/sdk');
const { createClient, OrderbeaconError } = require('@orderbeacon/sdk/client');
${body}
report();`,
    ],
  ])('reports an order from %s', async (_what, file, text) => {
    expect(await runProgram(await write(`plain/${file}`, text), file)).toEqual(expected);
    expect(await stored(file)).toBe(1);
  });

  const { ESNext, Node16, CommonJS } = ts.ModuleKind;
  const resolution = ts.ModuleResolutionKind;
  it.each([
    ['bundler', 'report.mts', ESNext, resolution.Bundler],
    ['node16', 'report.mts', Node16, resolution.Node16],
    ['node16 to CommonJS', 'report.cts', Node16, resolution.Node16],
    ['node10 to CommonJS', 'report.ts', CommonJS, resolution.Node10],
  ])(
    'type-checks, as the guide’s example does, and reports an order from TypeScript with %s',
    async (name, file, module, moduleResolution) => {
      const source = await write(`${name}/${file}`, asTypeScript);
      const shown = await write(`${name}/shown${extname(file)}`, exampleOf('sdk/guides/orders.md', 'result'));
      const outDir = join(dirname(source), 'out');
      const program = ts.createProgram([source, shown], {
        module,
        moduleResolution,
        target: ts.ScriptTarget.ES2022,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
        strict: true,
        exactOptionalPropertyTypes: true,
        // Published types must be valid by themselves. TypeScript's own are.
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        noEmitOnError: true,
        // TypeScript 6 still has node10, and warns that 7 will not.
        ignoreDeprecations: '6.0',
        types: [],
        outDir,
      });
      const { diagnostics } = program.emit();
      const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
      expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual(
        [],
      );
      const emitted = readdirSync(outDir).find((path) => path.startsWith('report'));
      expect(await runProgram(join(outDir, emitted!), name)).toEqual(expected);
      expect(await stored(name)).toBe(1);
    },
  );

  it('reports an order from a page by the guide’s lines, bundled as a shop’s build does', async () => {
    const example = exampleOf('sdk/guides/package.md', 'npm')
      .replaceAll('team_…', teamId)
      .replaceAll('https://orders.shop.example', orderbeacon.url)
      .replaceAll('1001', '1002');
    const entry = await write('storefront/shop.js', example);
    const outDir = join(dirname(entry), 'out');
    await bundle(entry, outDir, 'production');
    const [bundled] = readdirSync(outDir);
    pages.serveText('/shop.js', 'text/javascript', await readFile(join(outDir, bundled!), 'utf8'));
    pages.serve('/bundled', 'blank.html', { body: '<script type="module" src="/shop.js"></script>' });
    const tab = await browser.newTab();
    await tab.goto(`http://shop.localhost:${pages.port}/bundled`);
    await expect.poll(() => stored('1002')).toBe(1);
    await tab.close();
  });

  it('prints what happens by the guide’s line in a development build, and no other build has a byte of it', async () => {
    const example = ['debug', 'npm'].map((name) => exampleOf('sdk/guides/package.md', name)).join('\n');
    const entry = await write(
      'debugged/shop.js',
      example
        .replaceAll('team_…', teamId)
        .replaceAll('https://orders.shop.example', orderbeacon.url)
        .replaceAll('1001', 'seen'),
    );
    const production = join(dirname(entry), 'production');
    await bundle(entry, production, 'production');
    expect(readdirSync(production)).toEqual(['shop.mjs']);
    expect(readFileSync(join(production, 'shop.mjs'), 'utf8')).not.toMatch(
      /is kept in this browser|import\(/,
    );
    const development = join(dirname(entry), 'development');
    await bundle(entry, development, 'development');
    for (const file of readdirSync(development))
      pages.serveText(`/${file}`, 'text/javascript', readFileSync(join(development, file), 'utf8'));
    pages.serve('/debugged', 'blank.html', {
      body: '<script>said = []; console.info = (text) => said.push(text)</script><script type="module" src="/shop.mjs"></script>',
    });
    const tab = await browser.newTab();
    await tab.goto(`http://shop.localhost:${pages.port}/debugged`);
    const said = () => tab.run('return said.join("\\n")');
    await expect.poll(said).toMatch(/order seen of 49.9 USD is stored as ORD-/);
    await tab.close();
  });
});

describe('the server’s tarball', () => {
  it('serves the files of other packages, of which none is installed', async () => {
    const installed = readdirSync(join(packages.host, 'node_modules'));
    const served = {
      'docs/assets/swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
      'docs/assets/swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
      'console/assets/pico.min.css': '@picocss/pico/css/pico.min.css',
    };
    for (const [path, file] of Object.entries(served)) {
      expect(installed).not.toContain(file.split('/')[0]);
      const answer = await fetch(`${orderbeacon.url}/${path}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([path, answer.status]).toEqual([path, 200]);
      expect(bytes.equals(readFileSync(join(root, 'node_modules', file)))).toBe(true);
    }
  });

  it('serves the guides, recipes and error codes of both tarballs', async () => {
    for (const name of ['settings', 'sdk/tag', 'recipes/shopify', 'errors', 'api']) {
      const { status } = await fetch(`${orderbeacon.url}/docs/${name}`);
      expect([name, status]).toEqual([name, 200]);
    }
  });

  it('serves a tag that is pinned to a released script, which reports an order, and browsers run no other file', async () => {
    const { everyPage, confirmationPage } = await orderbeacon.command<Record<string, string>>(
      ...['tag', '--team', teamId, '--pin'],
    );
    const head = everyPage!.replace(/src="[^"]*\/sdk\//, `src="${orderbeacon.url}/sdk/`);
    const [, hash] = /\/sdk\/0\.0\.1\/track\.js" .*integrity="(sha384-[^"]+)"/.exec(head)!;
    const body = (orderId: string) => confirmationPage!.replace('1001', orderId);
    const tab = await browser.newTab();
    const open = async (path: string, html: string) => {
      pages.serve(path, 'blank.html', { body: html });
      await tab.goto(`http://shop.localhost:${pages.port}${path}`);
    };
    const otherHash = `sha384-${createHash('sha384').update('another file').digest('base64')}`;
    await open('/other', head.replace(hash!, otherHash) + body('other'));
    expect(await tab.run('return track.q.length')).toBe(1);
    await tab.run('localStorage.clear()');
    await open('/pinned', head + body('pinned'));
    await expect.poll(() => stored('pinned')).toBe(1);
    expect(await stored('other')).toBe(0);
    await tab.close();
  });
});

describe.each(['sdk', 'server'])('the tarball of %s', (name) => {
  const installed = () => join(packages.host, 'node_modules/@orderbeacon', name);
  const files = () =>
    readdirSync(installed(), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed().length + 1));
  const read = (path: string) => readFileSync(join(installed(), path), 'utf8');

  it('has licence, readme and changelog, and is what registries and bundlers expect', async () => {
    expect(files()).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md']));
    expect(read('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const { messages } = await publint({ pkgDir: installed(), pack: false, strict: true });
    const manifest = JSON.parse(read('package.json'));
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
    expect(read('CHANGELOG.md')).toMatch(/^## (?:Unreleased|\d)/m);
  });

  it('has neither sources nor tests in it, and is small', async () => {
    const { size } = await stat(name === 'sdk' ? packages.sdkTarball : packages.serverTarball);
    expect(size).toBeLessThan(name === 'sdk' ? 125_000 : 1_050_000);
    const strays = files().filter((path) => /(?<!\.d)\.tsx?$|(?:^|\/)(?:test|bench|\.inputs)\//.test(path));
    expect(strays).toEqual([]);
  });

  it('has source maps with the sources in them, or none', () => {
    const scripts = files().filter((path) => /\.c?js$/.test(path));
    expect(scripts.length).toBeGreaterThan(0);
    for (const path of scripts) {
      const [, map] = /^\/\/# sourceMappingURL=(.+)$/m.exec(read(path)) ?? [];
      if (!map) continue;
      const { sources, sourcesContent } = JSON.parse(read(join(dirname(path), map)));
      expect([path, sourcesContent?.filter(Boolean).length]).toEqual([path, sources.length]);
    }
  });
});

it('the tarballs lie beside their checksums, and a lockfile of what a server runs with', () => {
  const folder = dirname(packages.sdkTarball);
  const sums = [packages.sdkTarball, packages.serverTarball].map((path) => {
    const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${sum}  ${basename(path)}\n`;
  });
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
  const [whole, packed] = [root, folder].map(
    (place) => JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8')).packages,
  );
  expect(packed['node_modules/hono']).toEqual(whole['node_modules/hono']);
  expect(Object.keys(packed).filter((path) => whole[path].dev || whole[path].link)).toEqual([]);
});

describe('the example project of a shop', () => {
  it('finds the order of its page on a server that its tests start from the packed packages', async () => {
    const folder = join(packages.host, 'example');
    await cp(join(root, 'e2e/example'), folder, { recursive: true });
    for (const name of ['playwright', 'playwright-core'])
      await symlink(join(root, 'node_modules', name), join(packages.host, 'node_modules', name), 'junction');
    // The server's start counts as part of the first test. On a busy machine it takes longer than Playwright's 30 s.
    const cli = join(packages.host, 'node_modules/playwright/cli.js');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'test', '--reporter=line', '--timeout=300000'],
      { cwd: folder, env: { ...process.env, CHROMIUM_PATH: findBrowser('chromium')!, CI: '1' } },
    ).catch((failure: { stdout: string }) => failure);
    expect(stdout).toContain('2 passed');
  });

  it('is the one in the guide', async () => {
    const spec = await readFile(join(root, 'e2e/example/confirmation.spec.ts'), 'utf8');
    const shown = exampleOf('server/guides/testing.md', 'playwright').trim();
    expect(spec.replace(/^ *\/\/ biome-ignore.*\n/m, '')).toContain(shown);
  });
});
