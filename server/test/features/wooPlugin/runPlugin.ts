import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../kit/temporaryFolder.js';

/** False where there is no PHP. */
export const hasPhp = spawnSync('php', ['--version']).error === undefined;
/** For the names of tests that need it. */
export const needsPhp = 'skipped where there is no PHP; Debian: apt-get install php-cli';

/** A WordPress with WooCommerce, as far as the plugin sees it. */
export interface World {
  cookies: Record<string, string>;
  /** Of the address. */
  query: Record<string, unknown>;
  /** PHP of the shop's owner. */
  code: string;
  options: Record<string, unknown>;
  orders: Record<number, Record<string, unknown>>;
  webhooks: Record<number, Record<string, unknown>>;
  /** Who asks, and what each user may do. */
  user: number;
  rights: Record<number, string[]>;
  /** The page of the admin. */
  screen: string;
  hasNonce: boolean;
  hasWooCommerce: boolean;
  /** Why a ping fails; null for one that arrives. */
  pingFault: string | null;
}

/** What has become of a world, and what each step has printed. */
export interface Ended extends World {
  printed: string[];
  pings: string[];
  redirect: string | null;
  declared?: Record<string, [file: string, isCompatible: boolean]>;
  /** What PHP has written into its log. */
  log: string;
}

/** A step: the name of a hook, and what it is called with. */
export type Step = [hook: string, ...given: unknown[]];

const manager = 7;

const usual: World = {
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
  pingFault: null,
};

/** Lets PHP load a plugin into a world, and do the steps of one request. Throws what PHP does not catch. */
export function runPlugin(text: string, world: Partial<World>, ...steps: Step[]): Ended {
  const plugin = join(temporaryFolder(), 'orderbeacon.php');
  writeFileSync(plugin, text);
  const standIn = fileURLToPath(new URL('./wordPress.php', import.meta.url));
  // With the log on stderr.
  const { stdout, stderr, status } = spawnSync('php', ['-d', 'log_errors=1', '-d', 'error_log=', standIn], {
    input: JSON.stringify({ ...usual, ...world, plugin, steps }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr + stdout);
  return { ...JSON.parse(stdout), log: stderr };
}

/** An order of WooCommerce, by its id. */
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
