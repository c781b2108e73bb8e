import type { BrowserApis } from './browser';
import { complain } from './complain';
import { createDelivery } from './delivery';
import { type EarlyCall, storedCalls } from './earlyCalls';
import { readJson } from './json';
import { newId } from './newId';
import { type OrderInput, writeOrder } from './order';
import { createOutbox } from './outbox';
import type { FinalResult, Refusal, TrackResult } from './result';
import { keyPrefix, openStorage } from './storage';
import { createTransport } from './transport';
import { sdkVersion } from './version';
import { openVisitor } from './visitor';

/** Reports an order. Never throws, and its promises never reject. */
export interface Track {
  (command: 'order', order: OrderInput): Promise<TrackResult>;
  /**
   * The visitor's decision on the persisted visitor id. Only `true` is yes; anything else erases the id, also from
   * reports that still wait. Orders are reported either way.
   */
  (command: 'consent', given: boolean): Promise<unknown>;
}

/** `track()` as a page with the script tag has it. */
export type GlobalTrack = Track & {
  /** The persisted visitor id, to hand to a backend. Undefined where it may not be kept. */
  visitorId(): string | undefined;
};

/** How long a call in the storage is left to the page that made it, before another open page of the site sends it. */
const graceMs = 10_000;

/**
 * Wires the rooms of the SDK together in a page, and delivers what earlier pages could not.
 * @param endpoint the server, with or without slashes at its end
 * @param isVisitorOff keeps no visitor id without consent
 * @param name the global name whose stub writes calls to the storage; empty where there is none
 * @param queue the calls that this page's stub has taken
 */
export function wireTracker(
  browser: BrowserApis,
  teamId: string,
  endpoint: string,
  isVisitorOff: boolean,
  name = '',
  queue: EarlyCall[] = [],
): GlobalTrack {
  const refuse = (error: Refusal): FinalResult => {
    const advice = error.code === 'domain_not_allowed' ? `: allow ${browser.location.hostname}` : '';
    complain(browser, `order refused: ${error.message}${advice}`);
    return { status: 'refused', error };
  };

  const storage = openStorage(browser);
  const visitor = openVisitor(browser, storage, isVisitorOff);
  const outbox = createOutbox(storage, teamId);
  const transport = createTransport(browser, endpoint.replace(/\/*$/, '/svc-api/v1/orders'));
  const delivery = createDelivery(browser, outbox, transport, refuse);

  const decide = (consent?: '0' | '1') => {
    if (!visitor(consent)) outbox.dropVisitor();
  };

  const call = async (
    command: unknown,
    value: unknown,
    key = keyPrefix + newId(browser),
  ): Promise<unknown> => {
    try {
      if (command === 'consent') return decide(value === true ? '1' : '0');
      if (command !== 'order') throw Error(`no call ${command}`);
      const stamp = { teamId, visitorId: visitor(), reportId: key, sdkVersion };
      const body = writeOrder(value as Record<string, unknown>, stamp);
      if (!readJson(body).orderId) complain(browser, 'no orderId');
      const final = new Promise<FinalResult>((resolve) => delivery.onFinal(key, resolve));
      const result = await delivery.send({ key, body, tries: 0 });
      return result.status !== 'pending' ? result : { ...result, final };
    } catch (error) {
      return refuse({ code: 'invalid_request', message: (error as Error)?.message });
    }
  };

  /** Takes the calls that lie in the storage, and those that this page's stub has queued. */
  const take = () => {
    const calls = [...storedCalls(storage, name), ...queue.splice(0)].sort(
      // Decisions first, before anything of the visitor is written.
      ([a], [b]) => +(a === 'order') - +(b === 'order'),
    );
    for (const [command, value, key, done] of calls) {
      // Most lie in both places, and another tab may be sending this one already. Then this page keeps it in its
      // own memory too, for the shop may clear the storage.
      const known = outbox.look(key!);
      if (known) outbox.keep(known);
      else if (known !== null) call(command, value, key);
      if (key && command !== 'order') storage.write(key);
      delivery.onFinal(key!, done!);
    }
  };

  browser.addEventListener('online', delivery.sendWaiting);
  browser.addEventListener('visibilitychange', () => {
    // Of code that still holds the stub.
    take();
    if (browser.document.hidden) delivery.handOver();
    else delivery.sendWaiting();
  });
  browser.addEventListener('pagehide', delivery.handOver);
  // Another tab has changed the outbox, or its stub has taken a call.
  browser.addEventListener('storage', ({ key, newValue }) => {
    if (!key?.startsWith(keyPrefix)) return;
    if (!newValue) outbox.remove(key);
    else browser.setTimeout(take, graceMs);
    delivery.schedule();
  });
  take();
  decide();
  delivery.sendWaiting();

  const track = (command: unknown, value: unknown) => call(command, value);
  return Object.assign(track as Track, { visitorId: () => visitor() });
}
