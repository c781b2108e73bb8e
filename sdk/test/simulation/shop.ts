import { createBrowser, type SharedBrowser, type StorageMood } from './browser';
import { createNetwork, type Network } from './network';
import { type Chance, createChance } from './random';
import { createServer, type Server, type ServerMood } from './server';
import { openTab, type SimulatedTab } from './tab';
import { createTime, type Time } from './time';

/** An order for which the shop has called `track()`. */
export interface Call {
  /** Text that is in every report of this order, and of no other. */
  token: string;
  teamId: string;
  order: { email: string; amount: number; name: string; orderId?: string; items?: object[] };
  /** Tabs that called `track()` for the order, and so have it in memory. */
  tabs: SimulatedTab[];
  /** Set if the storage accepted the order and the shop has not cleared the storage since. */
  isWritten: boolean;
  /** Set if the order was only in the memory of pages that are gone. Such an order may be lost. */
  isExcused: boolean;
  /** Set if consent was refused before the call. */
  isWithoutVisitor: boolean;
}

/** A shop, its buyer's browser, and everything that can happen to them. */
export interface SimulatedShop {
  readonly time: Time;
  readonly chance: Chance;
  readonly server: Server;
  readonly network: Network;
  readonly browser: SharedBrowser;
  readonly calls: Call[];
  /** Values that the shop itself stores. */
  readonly foreign: Record<string, string>;
  /** Broken promises, as sentences. */
  readonly problems: string[];
  /** Number of script loads, visibility changes and returns of the network. Each may send all waiting reports. */
  readonly wakes: number;
  readonly tabs: SimulatedTab[];
  /** Opens a page. `scriptMs` is the time until the script has loaded; undefined if it never does. */
  visit(hasStub: boolean, scriptMs: number | undefined): SimulatedTab;
  order(tab: SimulatedTab, isAgain: boolean): void;
  refuseConsent(tab: SimulatedTab): void;
  leave(tab: SimulatedTab, how: 'close' | 'die'): void;
  show(tab: SimulatedTab, isHidden: boolean): void;
  goOnline(isOnline: boolean): void;
  clearStorage(): void;
  setStorage(mood: StorageMood): void;
  setServer(mood: ServerMood): void;
}

const teams = ['team_01h455vb4pex5vsknk084sn02q', 'team_01h455vb4pex5vsknk084sn02r'] as const;
const globals = ['track', 'other'] as const;

/** Keys of the shop that look like keys of the SDK. */
const lookalikes: Record<string, string> = {
  'orderbeacon:cart': '{"items":3}',
  'orderbeacon:null': 'null',
  'orderbeacon:settings': '{"tries":1,"body":"{}"}',
  'orderbeacon:text': 'plain',
};

/** Opens the shop of a seed. @param log called for each event, if a seed is replayed */
export function openShop(seed: number, log: (what: string) => void): SimulatedShop {
  const chance = createChance(seed);
  const time = createTime();
  const server = createServer(chance);
  const network = createNetwork(time, chance, server);
  const browser = createBrowser(time);
  const keepsAlive = chance.is(0.8);
  const hasTwoTeams = chance.is(0.15);
  const foreign = chance.is(0.2) ? { cart: '3', ...lookalikes } : { cart: '3' };
  const calls: Call[] = [];
  const problems: string[] = [];
  const tabs: SimulatedTab[] = [];
  let isConsentRefused = false;
  let wakes = 0;

  const logNow = (what: string) => log(`${(time.nowMs() / 1000).toFixed(3)} s: ${what}`);
  const excuseLost = () => {
    for (const call of calls) {
      if (!call.isWritten && !call.tabs.some((tab) => tab.isOpen())) call.isExcused = true;
    }
  };

  Object.assign(browser.stored, foreign);

  browser.onStorage = (key, newValue, writer) => {
    for (const call of calls) if (newValue?.includes(call.token)) call.isWritten = true;
    for (const tab of tabs) {
      if (tab !== writer && tab.isOpen()) {
        time.plan(chance.between(0, 20), () => tab.dispatch('storage', { key, newValue }));
      }
    }
  };

  function newCall(token: string, teamId: string, order: Call['order'], calledBy: SimulatedTab[]): Call {
    const isWithoutVisitor = isConsentRefused;
    return { token, teamId, order, tabs: calledBy, isWritten: false, isExcused: false, isWithoutVisitor };
  }

  const newOrder = (): Call['order'] => {
    const token = `order-${calls.length}-`;
    const order: Call['order'] = { email: `${token}@shop.example`, amount: calls.length + 0.5, name: token };
    if (chance.is(0.6)) order.orderId = `#${calls.length}`;
    if (chance.is(0.3))
      order.items = [{ sku: 'A', quantity: 2, note: 'x'.repeat(chance.is(0.1) ? 25_000 : 5) }];
    return order;
  };

  const shop: SimulatedShop = {
    time,
    chance,
    server,
    network,
    browser,
    calls,
    foreign,
    problems,
    tabs,
    get wakes() {
      return wakes;
    },
    visit(hasStub, scriptMs) {
      const tab = openTab(time, chance, network, browser, keepsAlive, (error) =>
        problems.push(`thrown: ${error}`),
      );
      tabs.push(tab);
      logNow(
        `tab ${tabs.length} opens, ${hasStub ? 'with the stub' : 'without a stub'}, script ${scriptMs === undefined ? 'never' : `in ${scriptMs} ms`}`,
      );
      if (hasStub) tab.runStub();
      if (scriptMs !== undefined) {
        time.plan(scriptMs, () => {
          wakes++;
          tab.runScript({ teamId: teams[0] });
          if (hasTwoTeams) tab.runScript({ teamId: teams[1], global: globals[1] });
        });
      }
      return tab;
    },
    order(tab, isAgain) {
      tab.run(() => {
        const repeated = isAgain
          ? calls.find(({ order, tabs }) => order.orderId !== undefined && tabs.length > 0)
          : undefined;
        const team = repeated
          ? teams.indexOf(repeated.teamId as (typeof teams)[0])
          : hasTwoTeams && chance.is(0.5)
            ? 1
            : 0;
        const track = tab.window[globals[team]!];
        if (typeof track !== 'function') return;
        const call = repeated ?? newCall(`order-${calls.length}-`, teams[team]!, newOrder(), []);
        if (!repeated) calls.push(call);
        call.tabs.push(tab);
        logNow(`tab ${tabs.indexOf(tab) + 1} calls for ${call.token}`);
        const result: Promise<{ status: string }> | undefined = track('order', { ...call.order });
        const calledMs = time.nowMs();
        result?.then(
          ({ status }) => {
            const waitedMs = time.nowMs() - calledMs;
            if (waitedMs > 20_000 && !tab.wasFrozen())
              problems.push(`track() took ${waitedMs} ms: ${status}`);
          },
          (error) => problems.push(`track() rejected: ${error}`),
        );
      });
    },
    refuseConsent(tab) {
      tab.run(() => {
        // The SDK promises this only once the script has loaded. A stub's queue may be lost with its page.
        if (typeof tab.window.track !== 'function' || tab.window.track.orderbeacon) return;
        logNow(`tab ${tabs.indexOf(tab) + 1}: no consent`);
        isConsentRefused = true;
        tab.window.track('consent', chance.oneOf([false, 'denied', 'false', undefined]));
      });
    },
    leave(tab, how) {
      if (!tab.isOpen()) return;
      logNow(`tab ${tabs.indexOf(tab) + 1}: ${how}`);
      wakes++;
      tab[how]();
      excuseLost();
    },
    show(tab, isHidden) {
      wakes++;
      tab.setHidden(isHidden);
    },
    goOnline(isOnline) {
      logNow(isOnline ? 'online' : 'offline');
      network.isOnline = isOnline;
      wakes++;
      for (const tab of tabs) tab.dispatch(isOnline ? 'online' : 'offline');
    },
    clearStorage() {
      logNow('the shop clears the storage');
      browser.runningTab = chance.oneOf(tabs) ?? {};
      browser.clearStorage();
      Object.assign(browser.stored, foreign);
      for (const call of calls) call.isWritten = false;
      excuseLost();
    },
    setStorage(mood) {
      logNow(`storage: ${mood}`);
      browser.storageMood = mood;
    },
    setServer(mood) {
      logNow(`server: ${mood}`);
      server.mood = mood;
    },
  };
  return shop;
}
