import { afterAll, expect } from 'vitest';
import { patientMs } from '../browsers/patience.ts';
import { keepEvidence } from './evidence.ts';
import { type FaultProxy, startFaultProxy } from './faults.ts';
import type { ListedOrder, Orderbeacon } from './orderbeacon.ts';
import { type Fillings, type PageServer, startPageServer } from './pages.ts';
import { sharedOrderbeacon } from './shared.ts';
import { stub } from './stub.ts';

/** Round-trip time between browser and server, unless a spec sets another. */
export const roundTripMs = 20;

/**
 * A script for a page's head. With it the SDK waits for each answer as long as a busy machine needs. By default it would send
 * the report again after 6 s.
 */
export const patientTries = `<script>{
  const { setTimeout: set } = window;
  window.setTimeout = (run, ms) => set(run, ms < 6_000 ? ms : ms * 20);
}</script>`;

/** Makes JavaScript for the server's answer to a call of `track()`, even if it comes after the first try. */
export const answerTo = (call: string): string =>
  `(async () => { const result = await ${call}; return (await result.final) ?? result })()`;

/** A shop with its pages, the server, and the network between them. */
export interface Shop {
  orderbeacon: Orderbeacon;
  pages: PageServer;
  network: FaultProxy;
  teamId: string;
  /** URL of the server for browsers, behind the faults. It is another site than the shop. */
  endpoint: string;
  /** The shop's origin. */
  origin: string;
  /** Serves a page under a path, and returns its URL. Team, endpoint and stub are filled in, in addition to `fillings`. */
  page(path: string, file: string, fillings?: Fillings, headers?: Record<string, string>): string;
  /** Waits until each of these orders, by its `name`, is stored. Asserts that each is stored exactly once. */
  expectStoredOnce(names: string[]): Promise<ListedOrder[]>;
  close(): Promise<void>;
}

/** Sets up the shop of a spec file, until its last test has ended. A failing test leaves the requests of the network. */
export async function setUpShop(): Promise<Shop> {
  const shop = await openShop();
  afterAll(() => shop.close());
  keepEvidence(async () => ({
    'network.json': JSON.stringify(shop.network.seen, null, 2),
  }));
  return shop;
}

/** Opens a shop with a new team on the shared server, which allows the shop's domain. */
export async function openShop(): Promise<Shop> {
  const [orderbeacon, pages] = await Promise.all([sharedOrderbeacon(), startPageServer()]);
  const network = await startFaultProxy(orderbeacon.url);
  network.roundTripMs = roundTripMs;
  const { id: teamId } = await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop');
  await orderbeacon.command('domain', 'add', '--team', teamId, '--live', 'shop.localhost');
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
      pages.serve(path, file, { teamId, endpoint, stub, ...fillings }, headers);
      return origin + path;
    },
    async expectStoredOnce(names) {
      // The answer follows the commit. This waits for answers, because each read of the database costs a process.
      const answered = new Set<string | undefined>();
      await expect
        .poll(
          () => {
            for (const { name, status } of network.seen) if (status === 200) answered.add(name);
            return names.filter((name) => !answered.has(name));
          },
          { timeout: patientMs, interval: 20, message: 'orders that are not stored' },
        )
        .toEqual([]);
      const orders = (await orderbeacon.orders(teamId)).filter(({ name }) => names.includes(name ?? ''));
      expect(orders.map(({ name }) => name).sort()).toEqual([...names].sort());
      return orders;
    },
    async close() {
      await Promise.all([pages.close(), network.close()]);
    },
  };
}

let count = 0;
/** Makes names for orders that no other test has. */
export function orderNames(scenario: string, n = 1): string[] {
  return Array.from({ length: n }, () => `${scenario} ${++count}`);
}
