import type { BrowserApis } from './browser';
import { isEndpoint, isTeamId } from './options';
import type { Refusal, TrackResult } from './result';
import { type GlobalTrack, type Track, wireTracker } from './tracker';
import { warn } from './warn';
import { whenSeen } from './whenSeen';

export type * from './contract';
export type { OrderInput } from './order';
export type { FinalResult, Refusal, TrackResult } from './result';
export type { Track, TrackCommands } from './tracker';

/** Options of a tracker. */
export interface TrackerOptions {
  /** The team, `team_…`. */
  teamId: string;
  /**
   * The server's public URL, such as `https://orders.shop.example`. Or a path of the shop's own host that leads to it, such
   * as `/orderbeacon`. A path in the URL is kept.
   */
  endpoint: string;
  /** `'off'` stores no visitor id unless the visitor has consented. By default it is stored. */
  visitor?: 'off' | undefined;
}

/** Tracker of one team. */
export interface Tracker {
  /** Reports an order. It needs no `this`: `const { track } = createTracker(…)` works. */
  readonly track: Track;
  /** The stored visitor id, for your backend. Undefined if it may not be stored, on a server, and while prerendered. */
  readonly visitorId: string | undefined;
}

/**
 * Creates a tracker and sends the orders that earlier pages of the site could not send. Call it once per page.
 * Importing has no side effects. During server-side rendering you may call it, and `track()` is refused. On a page that
 * the browser prerenders, it does nothing until a person opens the page.
 *
 * If an option is invalid, a browser logs one line to the console, and `track()` is refused. The page works as before.
 *
 * @throws TypeError on a server, if an option is invalid, so that a build fails
 * @example
 * const { track } = createTracker({ teamId: 'team_…', endpoint: 'https://orders.shop.example' });
 * const result = await track('order', { email: 'ann@shop.example', amount: 49.9, orderId: '1001', currency: 'USD' });
 */
export function createTracker(options: TrackerOptions): Tracker {
  const fault = findFault(options ?? {});
  if (typeof document === 'undefined') {
    if (fault) throw new TypeError(fault);
    return refuseAll('no_browser', 'track() works in a browser only; from a server, report with an API key');
  }
  if (fault) {
    warn(window, fault);
    return refuseAll('invalid_request', fault);
  }
  const { teamId, endpoint, visitor } = options;
  const browser: BrowserApis = window;
  let wired: GlobalTrack | undefined;
  whenSeen(document, () => {
    wired = wireTracker(browser, teamId, endpoint.trim(), visitor === 'off');
  });
  return {
    track: (command, argument) =>
      wired?.(command, argument) ??
      new Promise((resolve) => whenSeen(document, () => resolve(wired!(command, argument)))),
    get visitorId() {
      return wired?.visitorId();
    },
  };
}

/** Describes the first invalid option. Variables of a build are easily undefined, whatever their types say. */
function findFault({ teamId, endpoint, visitor }: Partial<TrackerOptions>): string | undefined {
  if (!isTeamId(teamId!))
    return `teamId must be a team such as team_01h455vb4pex5vsknk084sn02q, not ${teamId}`;
  if (!isEndpoint(endpoint))
    return `endpoint must be a URL such as https://orders.shop.example, not ${endpoint}`;
  if (visitor !== undefined && visitor !== 'off') return `visitor must be 'off' or left out, not ${visitor}`;
  return undefined;
}

/** Creates a tracker that refuses every order. */
function refuseAll(code: Refusal['code'], message: string): Tracker {
  const track = async (command: 'order' | 'consent'): Promise<TrackResult | undefined> =>
    command === 'consent' ? undefined : { status: 'refused', error: { code, message } };
  return { track: track as Track, visitorId: undefined };
}
