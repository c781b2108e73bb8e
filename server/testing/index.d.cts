import type { PlacedOrder } from '@orderbeacon/sdk/contract';

/** Settings of `startOrderbeacon`. */
export interface TestOrderbeaconOptions {
  /** Hosts whose pages may report. Default: `localhost` and `127.0.0.1`, with any port. */
  domains?: readonly string[];
  /** Port of the server. Default: a free one. */
  port?: number;
  /** Address of the server. Default: `127.0.0.1`. */
  host?: string;
}

/** A running server with a team without orders, a key and domains. */
export interface TestOrderbeacon {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** `team_…` */
  readonly teamId: string;
  /** A live key of the team. */
  readonly apiKey: string;
  /** The script element for the head of the shop's pages. */
  readonly scriptHtml: string;
  /** Reads an order by its `orderId` or `ord_…`. Null for none. */
  findOrder(orderId: string): Promise<PlacedOrder | null>;
  /**
   * Waits until the order is stored, and resolves with it. Rejects when it is not: the error says whether the server refused
   * a report, and why, or what the page lacks.
   * @param page the confirmation page, such as Playwright's `page`; null for an order that no page reports
   * @param expected.timeoutMs default 10,000
   */
  expectOrder(
    page: TestedPage | null,
    expected: { orderId: string; timeoutMs?: number },
  ): Promise<PlacedOrder>;
  /** Stops the server and its database, and removes all data. The server of a global setup goes on. */
  stop(): Promise<void>;
}

/** The part of a browser's page that `expectOrder` needs; Playwright's and Puppeteer's pages have it. */
export interface TestedPage {
  url(): string;
  evaluate(script: string): Promise<unknown>;
}

/**
 * Starts a server on an embedded PostgreSQL in a temporary folder, for tests of a shop. Several may run concurrently. They
 * end with the process that started them, however it ends. In a test run with `@orderbeacon/server/testing/globalSetup`
 * it makes a team on that server instead, unless `port` or `host` is given.
 */
export declare function startOrderbeacon(options?: TestOrderbeaconOptions): Promise<TestOrderbeacon>;
