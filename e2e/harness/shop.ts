import { describe, expect } from 'vitest';
import { type Engine, engines, findBrowser, installHint } from '../browsers/find.ts';
import { type Browser, type LaunchOptions, launch } from '../browsers/launch.ts';
import { type FaultProxy, startFaultProxy } from './faults.ts';
import { type Orderbeacon, type StoredOrder, startOrderbeacon } from './orderbeacon.ts';
import { type Fillings, type PageServer, startPageServer } from './pages.ts';

/** Trials of each promise: what fails once in five is not kept. */
export const trials = 5;

/** How far apart shop, browser and server are, unless a promise says otherwise. */
export const roundTripMs = 100;

/** A shop with its pages, the server, and the network between them. */
export interface Shop {
  orderbeacon: Orderbeacon;
  pages: PageServer;
  network: FaultProxy;
  teamId: string;
  /** The server as browsers see it, behind the faults; another site than the shop's. */
  endpoint: string;
  /** The shop's origin. */
  origin: string;
  /** Serves a page under a path and gives its URL. */
  page(path: string, file: string, fillings?: Fillings, headers?: Record<string, string>): string;
  /** Waits until each of these orders, named by `name`, is stored; then asserts that each is so exactly once. */
  expectStoredOnce(names: string[], waitMs?: number): Promise<StoredOrder[]>;
  close(): Promise<void>;
}

/** Opens a shop with a team of its own that allows the shop's domain. */
export async function openShop(): Promise<Shop> {
  const [orderbeacon, pages] = await Promise.all([startOrderbeacon(), startPageServer()]);
  const network = await startFaultProxy(orderbeacon.url);
  network.roundTripMs = roundTripMs;
  const { id: teamId } = await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop');
  await orderbeacon.command('domain', 'add', '--team', teamId, 'shop.localhost');
  const endpoint = `http://collector.localhost:${network.port}`;
  const origin = `http://shop.localhost:${pages.port}`;
  pages.serve('/elsewhere', 'blank.html', {});

  return {
    orderbeacon,
    pages,
    network,
    teamId,
    endpoint,
    origin,
    page(path, file, fillings = {}, headers = {}) {
      pages.serve(path, file, { teamId, endpoint, ...fillings }, headers);
      return origin + path;
    },
    async expectStoredOnce(names, waitMs = 15_000) {
      const of = (orders: StoredOrder[]) => orders.filter(({ name }) => names.includes(name ?? ''));
      let orders: StoredOrder[] = [];
      await expect
        .poll(
          async () => {
            orders = of(await orderbeacon.orders(teamId));
            return names.filter((name) => !orders.some((order) => order.name === name));
          },
          { timeout: waitMs, interval: 250, message: 'orders that are not stored' },
        )
        .toEqual([]);
      expect(orders.map(({ name }) => name).sort()).toEqual([...names].sort());
      return orders;
    },
    async close() {
      await Promise.all([pages.close(), network.close()]);
      await orderbeacon.close();
    },
  };
}

/**
 * Declares the promises of one file for every engine. An engine that is not installed is a visible skip on a
 * developer's machine, and a failure in CI.
 */
export function inEveryBrowser(declare: (engine: Engine) => void, wanted: readonly Engine[] = engines): void {
  for (const engine of wanted) {
    const isThere = findBrowser(engine) !== null;
    if (!isThere && process.env.CI) {
      describe(engine, () => {
        throw new Error(`No ${engine} was found. Run: ${installHint[engine]}`);
      });
    } else {
      describe.skipIf(!isThere)(engine, () => declare(engine));
    }
  }
}

/** Runs with a browser and closes it whatever happens. */
export async function withBrowser<T>(
  engine: Engine,
  options: LaunchOptions,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await launch(engine, options);
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

let count = 0;
/** Names for orders that no other test has. */
export function orderNames(scenario: string, n = trials): string[] {
  return Array.from({ length: n }, () => `${scenario} ${++count}`);
}
