import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, afterEach, onTestFinished } from 'vitest';
import { joinPeople, type People } from '../browsers/people.ts';
import { keepEvidence } from './evidence.ts';
import type { Orderbeacon } from './orderbeacon.ts';
import { sharedBrowser } from './shared.ts';

/** The people of a spec file: each has cookies of their own. A failing test leaves pictures of their tabs. */
export function setUpPeople(): Pick<People, 'newPerson'> {
  let started: Promise<People> | undefined;
  afterEach(async () => (await started)?.leave());
  afterAll(async () => (await started)?.close());
  keepEvidence(async () => (await started)?.pictures() ?? {});
  return {
    async newPerson(options?: BrowserContextOptions) {
      started ??= sharedBrowser('chromium').then(joinPeople);
      return (await started).newPerson(options);
    },
  };
}

/** A link to a team's console, as the command prints it, on this server or on what stands in front of it. */
export async function consoleLink(orderbeacon: Orderbeacon, teamId: string, origin = orderbeacon.url) {
  const { url } = await orderbeacon.command<{ url: string }>('console', '--team', teamId);
  const { pathname, hash } = new URL(url);
  return origin + pathname + hash;
}

/** Opens a link, and waits until its page has signed in. */
export async function openConsole(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.waitForURL((url) => url.pathname === '/console');
}

/** Clicks what leads to another page, and waits until that has loaded: its first part alone may lack what is asked for. */
export async function follow(leads: Locator): Promise<void> {
  await leads.click();
  await leads.page().waitForLoadState();
}

/**
 * Stops the clock of a page at a time, from its next load on. Then nothing happens by itself, however long a busy machine
 * takes between two steps, until the test moves the clock on.
 */
export async function stopClock(page: Page, atMs: number): Promise<void> {
  // A clock cannot be stopped at a time that has passed.
  await page.clock.install({ time: atMs - 3_600_000 });
  await page.clock.pauseAt(atMs);
}

/** A shop's team with an allowed host, and the actions of its pages. */
export async function newTeam(orderbeacon: Orderbeacon, name = 'Shop') {
  const { id } = await orderbeacon.command<{ id: string }>('team', 'create', '--name', name);
  await orderbeacon.command('domain', 'add', '--team', id, 'shop.example');

  async function send(order: object, origin: string, url: string) {
    for (;;) {
      const response = await fetch(`${url}/svc-api/v1/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ teamId: id, email: 'ann@buyer.example', amount: 49.9, ...order }),
      });
      const answer = await response.json();
      // A busy server says 503 first, and is asked again, as by a page.
      if (response.status !== 503) return answer;
    }
  }

  return {
    teamId: id,
    /** Reports an order that the server refuses: by default as a page of a host that is not allowed. */
    async reportRefused(order: object, origin = 'https://checkout.example', url = orderbeacon.url) {
      const { error } = await send(order, origin, url);
      if (!error) throw new Error('The server took the order.');
    },
    /** Reports an order as a page of the shop does, by default of its first host. */
    async report(order: object, url = orderbeacon.url, origin = 'https://shop.example') {
      const { data, error } = await send(order, origin, url);
      if (!data) throw new Error(JSON.stringify(error));
      return data as { id: string; orderNumber: string; createdAt: string };
    },
  };
}

/** A clock of a server and of the commands beside it. */
export function createClock() {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [offset, script] = [join(folder, 'offset'), join(folder, 'clock.mjs')];
  let aheadMs = 0;
  /** In one step: whoever reads a file that is being written finds it empty. */
  const set = (ms: number) => {
    writeFileSync(`${offset}.new`, String(ms));
    renameSync(`${offset}.new`, offset);
  };
  set(0);
  writeFileSync(
    script,
    `import { readFileSync } from 'node:fs';
    const True = Date;
    const now = () => True.now() + Number(readFileSync(${JSON.stringify(offset)}, 'utf8'));
    globalThis.Date = class extends True {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
    };`,
  );
  return {
    /** The settings with which a process goes by this clock. */
    env: { NODE_OPTIONS: `--import ${script}` },
    advance(ms: number) {
      aheadMs += ms;
      set(aheadMs);
    },
  };
}

/**
 * Records the effects that hostile text on a page could have: dialogs, errors, and requests to other servers.
 * @param expected a word of the errors in the browser's console that belong to the test
 */
export function watchTroubles(page: Page, url: string, expected?: string): string[] {
  const troubles: string[] = [];
  page.on('dialog', (dialog) => {
    troubles.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) troubles.push(`request ${request.url()}`);
  });
  page.on('console', (message) => {
    const isExpected = expected !== undefined && message.text().includes(expected);
    if (message.type() === 'error' && !isExpected) troubles.push(message.text());
  });
  return troubles;
}
