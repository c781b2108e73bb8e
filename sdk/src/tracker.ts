import type { BrowserApis } from './browser';
import { createDelivery } from './delivery';
import type { EarlyCall } from './earlyCall';
import { readJson } from './json';
import { newId } from './newId';
import { type OrderInput, writeOrder } from './order';
import { answered, createOutbox } from './outbox';
import type { FinalResult, Refusal, TrackResult } from './result';
import { isOurs, keyPrefix, openStorage } from './storage';
import { createTransport } from './transport';
import { sdkVersion } from './version';
import { openVisitor } from './visitor';
import { warn } from './warn';

/** The argument that each command of `track()` takes, and the value that its promise resolves with. */
export interface TrackCommands {
  order: { argument: OrderInput; result: TrackResult };
  /**
   * The visitor's consent to the stored visitor id. Only `true` means yes. Anything else erases the id, also from
   * waiting reports. Orders are reported in both cases.
   */
  consent: { argument: boolean; result: unknown };
}

/**
 * Reports an order, or records the visitor's consent. Never throws, and its promises never reject.
 *
 * It is generic and not overloaded, because TypeScript explains a wrong argument by the last overload alone.
 */
export type Track = <Command extends 'order' | 'consent'>(
  command: Command,
  argument: TrackCommands[Command]['argument'],
) => Promise<TrackCommands[Command]['result']>;

/** The `track()` function of a page with the script tag. */
export type GlobalTrack = Track & {
  /** The stored visitor id, for your backend. Undefined if it may not be stored. */
  visitorId(): string | undefined;
};

/** Time for which a stored call is left to the page that made it. Then another open page of the site sends it. */
const graceMs = 10_000;

/**
 * Wires the parts of the SDK together on a page, and sends the orders that earlier pages could not send.
 * @param endpoint the server, with or without slashes at its end, and without white space around it
 * @param isVisitorOff stores no visitor id without consent
 * @param name the global name of the stub whose stored calls are taken; empty if the page has no stub
 * @param queue the calls in the memory of this page's stub
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
    warn(browser, `order refused: ${error.message}`);
    return { status: 'refused', error };
  };

  const storage = openStorage(browser);
  const visitor = openVisitor(browser, storage, isVisitorOff);
  const outbox = createOutbox(storage, teamId);
  const transport = createTransport(
    browser,
    endpoint.replace(/\/*$/, '/svc-api/v1/orders').replace(/^\/\b/, `${browser.location.origin}/`),
  );
  const delivery = createDelivery(browser, outbox, transport, refuse);

  const call = async (
    command: unknown,
    value: unknown,
    key = keyPrefix + newId(browser),
  ): Promise<unknown> => {
    try {
      if (command === 'consent')
        return (
          visitor(value === true ? '1' : `0${key.slice(12, 20)}`, key).visitorId || outbox._dropVisitor()
        );
      if (command !== 'order') throw Error(`track() has no ${command}`);
      const added = { teamId, ...visitor(), reportId: key, sdkVersion };
      const body = writeOrder(value as Record<string, unknown>, added);
      if (!readJson(body).orderId) warn(browser, 'no orderId');
      const final = new Promise<FinalResult>((resolve) => {
        delivery._finalListeners[key] = resolve;
      });
      return (await delivery._send({ key, body, tries: 0 })) ?? { status: 'pending', final };
    } catch (error) {
      return refuse({ code: 'invalid_request', message: (error as Error)?.message });
    }
  };

  /** Takes the calls that pages have stored, and those of this page's stub. */
  const take = () => {
    const stored = outbox._refresh().flatMap((key): EarlyCall[] => {
      const early = readJson(storage._read(key));
      // Two tags of one site may have a name each. Most calls of this page are both stored and in the stub's queue.
      return early.global === name && !queue.some((call) => call[2] === key)
        ? [[early.command, early.value, key]]
        : [];
    });
    const calls = [...stored, ...queue.splice(0)].sort(
      // Sorts orders last, so that consent is decided before a visitor id is stored.
      ([a], [b]) => ((a === 'order') as never) - ((b === 'order') as never),
    );
    for (const [command, value, key, done] of calls) {
      // Another tab may be sending this report already. The page that made it keeps a copy.
      const report = outbox._get(key);
      if (report === undefined) call(command, value, key);
      else if (report && done) outbox._put(report);
      if (command !== 'order') outbox._forget(key);
      delivery._finalListeners[key] = done;
    }
    delivery._schedule();
  };

  browser.addEventListener('online', delivery._sendWaiting);
  browser.addEventListener('visibilitychange', () => {
    // Code on the page may still hold the stub and call it.
    take();
    if (browser.document.hidden) delivery._sendBeacons();
    else delivery._sendWaiting();
  });
  browser.addEventListener('pagehide', delivery._sendBeacons);
  // Another tab has changed the outbox, or its stub has stored a call.
  browser.addEventListener('storage', ({ key, newValue }) => {
    if (!isOurs(key)) return;
    if (newValue === answered) outbox._forget(key);
    else if (newValue) browser.setTimeout(take, graceMs);
  });
  take();
  visitor().visitorId || outbox._dropVisitor();
  delivery._sendWaiting();

  const track = (command: unknown, value: unknown) => call(command, value);
  return Object.assign(track as Track, { teamId, visitorId: () => visitor().visitorId });
}
