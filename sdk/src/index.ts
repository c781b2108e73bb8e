import type { BrowserApis } from './browser';
import { isEndpoint, isTeamId } from './options';
import type { TrackResult } from './result';
import { type Track, wireTracker } from './tracker';

export type * from './contract';
export type { OrderInput } from './order';
export type { FinalResult, Refusal, TrackResult } from './result';
export type { Track } from './tracker';

/** Who reports, and to whom. */
export interface TrackerOptions {
  /** The team, `team_…`. */
  teamId: string;
  /**
   * The server's public URL, such as `https://orders.shop.example`, or a path of the shop's own host that leads
   * there, such as `/orderbeacon`. A path before `/svc-api` is kept.
   */
  endpoint: string;
  /** `'off'` keeps no visitor id unless the visitor has consented. Default: it is kept. */
  visitor?: 'off' | undefined;
}

/** Reports orders of one team. */
export interface Tracker {
  /** Needs no `this`, so it may be taken out: `const { track } = createTracker(…)`. */
  readonly track: Track;
  /** The persisted visitor id, to hand to a backend. Undefined where it may not be kept, and on a server. */
  readonly visitorId: string | undefined;
}

/**
 * Creates a tracker, once for each page, and delivers what earlier pages of the site could not.
 * Importing touches nothing. During server-side rendering it may be called too, with whatever options are known
 * there: `track()` is refused.
 *
 * @throws TypeError in a browser, when an option cannot be right
 * @example
 * const { track } = createTracker({ teamId: 'team_…', endpoint: 'https://orders.shop.example' });
 * const result = await track('order', { email: 'ann@shop.example', amount: 49.9, orderId: '1001' });
 */
export function createTracker({ teamId, endpoint, visitor }: TrackerOptions): Tracker {
  if (typeof document === 'undefined') return { track: refuseOutsideBrowser as Track, visitorId: undefined };
  if (!isTeamId(teamId)) {
    throw new TypeError(`teamId must be a team such as team_01h455vb4pex5vsknk084sn02q, not ${teamId}`);
  }
  if (!isEndpoint(endpoint)) {
    throw new TypeError(`endpoint must be a URL such as https://orders.shop.example, not ${endpoint}`);
  }
  if (visitor !== undefined && visitor !== 'off') {
    throw new TypeError(`visitor must be 'off' or left out, not ${visitor}`);
  }
  const track = wireTracker(window as BrowserApis, teamId, endpoint, visitor === 'off');
  return {
    track,
    get visitorId() {
      return track.visitorId();
    },
  };
}

async function refuseOutsideBrowser(command: 'order' | 'consent'): Promise<TrackResult | undefined> {
  if (command === 'consent') return;
  const message = 'track() works in a browser only; from a server, report with an API key';
  return { status: 'refused', error: { code: 'no_browser', message } };
}
