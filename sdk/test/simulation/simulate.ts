import type { StorageMood } from './browser';
import type { ServerMood } from './server';
import { openShop, type SimulatedShop } from './shop';
import type { SimulatedTab } from './tab';

const hourMs = 3_600_000;

/** Moods of the storage. A browser can read its storage or never can. If it can, writes may fail for some time. */
const unreadable: StorageMood[] = ['blocked', 'null'];
const readable: StorageMood[] = ['well', 'well', 'well', 'full', 'lying'];
const serverMoods: ServerMood[] = [
  'well',
  'unavailable',
  'limiting',
  'dying',
  'failing',
  'closed to this domain',
];

/**
 * Runs the simulation of a seed: some minutes of trouble, then three healthy hours in which one page with the tag is open.
 * Returns the broken promises as sentences. An empty list is a success.
 */
export async function simulate(seed: number, log: (what: string) => void = () => {}): Promise<string[]> {
  const shop = openShop(seed, log);
  const { time, chance, server, network, browser, problems } = shop;
  const troubleMs = chance.is(0.2) ? chance.between(5000, 900_000) : chance.between(5000, 120_000);
  planTrouble(shop, troubleMs);
  await time.runUntil(troubleMs);

  log(`${troubleMs / 1000} s: the trouble is over`);
  for (const tab of shop.tabs) if (!tab.isTagged() || tab.isFrozen()) shop.leave(tab, 'die');
  const wasReadable = readable.includes(browser.storageMood);
  shop.setStorage('well');
  shop.setServer('well');
  server.isNarrow = false;
  network.faults = { lost: 0, cut: 0, proxied: 0, doubled: 0, slow: 0 };
  shop.goOnline(true);
  // Either the next page or one that is open already must deliver.
  if (!wasReadable || !shop.tabs.some((tab) => tab.isOpen()) || chance.is(0.5)) shop.visit(false, 100);
  await time.runUntil(troubleMs + 3 * hourMs);

  checkOrders(shop);
  for (const [key, value] of Object.entries(shop.foreign)) {
    if (browser.stored[key] !== value) problems.push(`the shop's key ${key} is ${browser.stored[key]}`);
  }
  const atMost = requestsAtMost(shop, troubleMs);
  if (network.requests > atMost) problems.push(`${network.requests} requests, expected at most ${atMost}`);

  const { requests } = network;
  await time.runUntil(troubleMs + 5 * hourMs);
  if (network.requests > requests) problems.push('requests go on when nothing waits');
  return problems;
}

/** Plans the events of the time of trouble. */
function planTrouble(shop: SimulatedShop, troubleMs: number): void {
  const { time, chance, server, network, browser } = shop;
  const { clockOffsetMs } = browser;
  const later = (delayMs: number, happen: () => void) =>
    time.plan(delayMs, () => {
      if (time.nowMs() < troubleMs) happen();
    });
  const sometimeMs = () => chance.between(0, troubleMs);
  const soonMs = () => (chance.is(0.7) ? chance.between(0, 3000) : chance.between(0, 60_000));
  const fault = () => (chance.is(0.5) ? chance.next() * 0.7 : 0);

  const rollFaults = () => {
    network.faults = { lost: fault(), cut: fault(), proxied: fault(), doubled: fault(), slow: fault() };
  };

  const liveOn = (tab: SimulatedTab) => {
    if (chance.is(0.2)) later(soonMs(), () => shop.refuseConsent(tab));
    for (let count = chance.between(0, 3); count > 0; count--) {
      later(soonMs(), () => shop.order(tab, chance.is(0.2)));
    }
    if (chance.is(0.3)) {
      const hideMs = soonMs();
      later(hideMs, () => shop.show(tab, true));
      later(hideMs + soonMs(), () => shop.show(tab, false));
    }
    if (chance.is(0.2)) {
      const freezeMs = soonMs();
      later(freezeMs, () => tab.setFrozen(true));
      if (chance.is(0.7)) later(freezeMs + soonMs(), () => tab.setFrozen(false));
    }
    if (chance.is(0.7)) later(soonMs(), () => shop.leave(tab, chance.is(0.5) ? 'close' : 'die'));
  };

  browser.storageMood = chance.oneOf(chance.is(0.15) ? unreadable : readable);
  server.isNarrow = chance.is(0.1);
  rollFaults();
  for (let count = chance.between(1, 5); count > 0; count--) {
    const hasStub = chance.is(0.8);
    const scriptMs = chance.is(0.3) ? undefined : soonMs();
    later(count === 1 ? 0 : sometimeMs(), () => liveOn(shop.visit(hasStub, scriptMs)));
  }
  const troubles: (() => void)[] = [
    () => shop.setServer(chance.oneOf(serverMoods)),
    () => shop.setServer(chance.oneOf(serverMoods)),
    rollFaults,
    () => shop.goOnline(!network.isOnline),
    () => readable.includes(browser.storageMood) && shop.setStorage(chance.oneOf(readable)),
    () => {
      // Within 30 hours, or years off: a clock that is set three days ahead makes every report three days older.
      const yearsMs = chance.is(0.2) ? chance.between(-3, 3) * 8_760 * hourMs : 0;
      browser.clockOffsetMs =
        clockOffsetMs + yearsMs + chance.between(-30, 30) * (chance.is(0.5) ? hourMs : 60_000);
    },
    () => chance.is(0.3) && shop.tabs.length > 0 && shop.clearStorage(),
  ];
  for (let count = chance.between(0, 8); count > 0; count--) later(sometimeMs(), chance.oneOf(troubles));
}

function checkOrders({ calls, server, problems }: SimulatedShop): void {
  for (const { token, teamId, order, isExcused, isWithoutVisitor } of calls) {
    const stored = server.stored.filter(({ name }) => name === token);
    if (stored.length > 1) problems.push(`${token} is stored ${stored.length} times`);
    if (stored.length === 0 && !isExcused) problems.push(`${token} is not stored`);
    const [first] = stored;
    if (!first) continue;
    if (first.teamId !== teamId) problems.push(`${token} went to another team`);
    if (first.email !== order.email || first.amount !== order.amount) problems.push(`${token} was changed`);
    if (isWithoutVisitor && first.visitorId) problems.push(`${token} has a visitor without consent`);
  }
}

/**
 * Computes the limit for requests. Each open page tries each report when it wakes. By timer, it does so some 12 times in the
 * first minutes and then every 54 s.
 */
function requestsAtMost({ calls, tabs, wakes }: SimulatedShop, troubleMs: number): number {
  const triesByTimer = (20 + troubleMs / 54_000) * (tabs.length + 1);
  const reports = calls.reduce((sum, { tabs: calledBy }) => sum + Math.max(1, calledBy.length), 0);
  return 10 + reports * (triesByTimer + 2 * wakes);
}
