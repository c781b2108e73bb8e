import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, afterEach } from 'vitest';
import { joinPeople, type People } from '../browsers/people.ts';
import { keepEvidence } from './evidence.ts';
import type { Orderbeacon } from './orderbeacon.ts';
import { sharedBrowser } from './shared.ts';

/** Sets up the people of a spec file, each with separate cookies. A failing test leaves pictures of their tabs. */
export function setUpPeople() {
  let started: Promise<People> | undefined;
  afterEach(async () => (await started)?.leave());
  afterAll(async () => (await started)?.close());
  keepEvidence(async () => (await started)?.pictures() ?? {});
  async function newPerson(options?: BrowserContextOptions) {
    started ??= sharedBrowser('chromium').then(joinPeople);
    return (await started).newPerson(options);
  }
  return {
    newPerson,
    /** Opens a page of a team's console as a new person who is signed in. */
    async newMerchant(orderbeacon: Orderbeacon, teamId: string, path = '', options?: BrowserContextOptions) {
      const merchant = await newPerson({ ...options, storageState: await signIn(orderbeacon, teamId) });
      await merchant.goto(`${orderbeacon.url}/console/${teamId}${path}`);
      return merchant;
    },
  };
}

let signIns = 0;

/**
 * Opens a link to a team's console without a browser. Resolves with the cookies, and with the team's time zone. Each request
 * comes from another address, because one address may sign in 20 times a minute. Only Linux has those addresses.
 */
async function signIn(orderbeacon: Orderbeacon, teamId: string) {
  const { hash, hostname } = new URL(await consoleLink(orderbeacon, teamId));
  const sent = request(`${orderbeacon.url}/console/sign-in`, {
    method: 'POST',
    headers: {
      origin: orderbeacon.url,
      'content-type': 'application/x-www-form-urlencoded',
      cookie: 'orderbeacon_probe=1',
    },
    ...(process.platform === 'linux' && { localAddress: `127.0.0.${2 + (signIns++ % 250)}` }),
  }).end(String(new URLSearchParams({ token: hash.slice(1) })));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(answer.headers['set-cookie']![0]!)!;
  const scope = { domain: hostname, path: '/', expires: -1, secure: false, sameSite: 'Strict' as const };
  return { cookies: [{ name: name!, value: value!, httpOnly: true, ...scope }], origins: [] };
}

/** Makes a link to a team's console, as the command prints it. */
export async function consoleLink(orderbeacon: Orderbeacon, teamId: string) {
  const { url } = await orderbeacon.command<{ url: string }>('console', '--team', teamId);
  const { pathname, hash } = new URL(url);
  return orderbeacon.url + pathname + hash;
}

/** Opens a link, and waits until its page has signed in. */
export async function openConsole(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.waitForURL((url) => /^\/console\/team_\w+$/.test(url.pathname));
}

/** Clicks a link to another page, and waits until that has loaded completely. */
export async function follow(leads: Locator): Promise<void> {
  await leads.click();
  await leads.page().waitForLoadState();
}

/**
 * Stops the clock of a page at a time, from its next load on. Then nothing happens until the test moves the clock on, however
 * long a busy machine takes between two steps.
 */
export async function stopClock(page: Page, atMs: number): Promise<void> {
  // The clock cannot be stopped at a time in the past.
  await page.clock.install({ time: atMs - 3_600_000 });
  await page.clock.pauseAt(atMs);
}

/** Adds a shop's team with an allowed host. Returns the actions of its pages. */
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
      // A busy server may answer 503 first. Like a page, this sends the report again.
      if (response.status !== 503) return answer;
    }
  }

  return {
    teamId: id,
    /** Reports an order that the server refuses, by default as a page of a host that is not allowed. */
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

/** Records possible effects of hostile text on a page: dialogs, errors, and requests to other servers. */
export function watchTroubles(page: Page, url: string): string[] {
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
    if (message.type() === 'error') troubles.push(message.text());
  });
  return troubles;
}
