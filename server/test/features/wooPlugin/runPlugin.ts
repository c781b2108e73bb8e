import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillPlugin } from '../../../src/features/wooPlugin/zipPlugin.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';

/** False if PHP is missing. */
export const hasPhp = spawnSync('php', ['--version']).error === undefined;
/** Part of the names of tests that need PHP. */
export const needsPhp = 'skipped where there is no PHP; Debian: apt-get install php-cli';

/** A WordPress with WooCommerce, as the plugin sees it. */
export interface Site {
  cookies: Record<string, string>;
  /** Query of the address. */
  query: Record<string, unknown>;
  /** PHP code of the shop's owner. */
  code: string;
  options: Record<string, unknown>;
  orders: Record<number, Record<string, unknown>>;
  webhooks: Record<number, Record<string, unknown>>;
  /** The user of the request, and the rights of each user. */
  user: number;
  rights: Record<number, string[]>;
  /** The page of the admin. */
  screen: string;
  hasNonce: boolean;
  hasWooCommerce: boolean;
  /** The site's URL. */
  home: string;
  /** The way the plugin is active in a network of sites; null for a single site. */
  network: 'site' | 'all' | null;
  /** The server's answer to requests. */
  answer: { status: number; data?: object } | { unreachable: string };
  /** WooCommerce's session of the browser. */
  session: Record<string, unknown>;
  /** Deliveries that wait. */
  queue: { webhook_id: number; arg: number }[];
  /** Hooks that WP-Cron will run. */
  cron: string[];
  /** Notes on WooCommerce's pages, by their names. */
  notes: Record<string, string>;
}

/** A site after a request, and the output of each step. */
export interface Ended extends Site {
  printed: string[];
  requests: { url: string; body: string; headers: Record<string, string> }[];
  redirect: string | null;
  declared?: Record<string, [file: string, isCompatible: boolean]>;
  /** Text that PHP has written to its log. */
  log: string;
}

/** A step: the name of a hook, and its arguments. */
export type Step = [hook: string, ...given: unknown[]];

const manager = 7;

const usual: Site = {
  cookies: {},
  query: {},
  code: '',
  options: {},
  orders: {},
  webhooks: {},
  user: manager,
  rights: { [manager]: ['manage_woocommerce'] },
  screen: 'plugins',
  hasNonce: true,
  hasWooCommerce: true,
  home: 'https://shop.example',
  network: null,
  answer: { status: 200, data: { isAllowed: true, ask: null } },
  session: {},
  queue: [],
  cron: [],
  notes: {},
};

/** Lets PHP load a plugin into a site, and run the steps of one request. @throws Error if PHP does not catch one */
export function runPlugin(text: string, site: Partial<Site>, ...steps: Step[]): Ended {
  const plugin = join(temporaryFolder(), 'orderbeacon.php');
  writeFileSync(plugin, text);
  const standIn = fileURLToPath(new URL('./wordPress.php', import.meta.url));
  // The log goes to stderr.
  const { stdout, stderr, status } = spawnSync('php', ['-d', 'log_errors=1', '-d', 'error_log=', standIn], {
    input: JSON.stringify({ ...usual, ...site, plugin, steps }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr + stdout);
  return { ...JSON.parse(stdout), log: stderr };
}

/** Runs the plugin with `values`, as `runPlugin` does. @throws Error also if the plugin has written to PHP's log */
export function run(site: Partial<Site>, ...steps: Step[]): Ended {
  const ended = runPlugin(fillPlugin(values), site, ...steps);
  if (ended.log !== '') throw new Error(ended.log);
  return ended;
}

/** Makes an order of WooCommerce, by its id. */
export const shopOrder = (id: number, more: object = {}) => ({
  [id]: {
    id,
    number: String(id),
    status: 'processing',
    order_key: 'wc_order_k9HZk7Xc2',
    date_paid: new Date().toISOString(),
    total: '49.90',
    currency: 'EUR',
    customer_id: 0,
    billing_email: 'ann@shop.example',
    billing_first_name: 'Ann',
    billing_last_name: 'Example',
    items: [
      {
        product_id: 7,
        variation_id: 71,
        name: 'T-shirt - M',
        quantity: 2,
        total: 41.93,
        total_tax: 7.97,
      },
    ],
    ...more,
  },
});

/** Values of a plugin without a prefix. */
export const values = {
  publicUrl: 'https://orders.shop.example',
  teamId: 'team_01h455vb4pex5vsknk084sn02q',
  sourceUrl: 'https://orders.shop.example/svc-api/v1/sources/src_abc',
  secret: 'f00d',
  orderIdPrefix: '',
};

/** Reads the report of a page's call of `track()`; null if the page has none. */
export function reportIn(html: string) {
  const [, json] = /\ntrack\('order', (.*)\);\n<\/script>/.exec(html) ?? [];
  return json === undefined ? null : JSON.parse(json);
}
