import { type Track, wireTracker } from './tracker';

export type * from './contract';
export type { OrderInput } from './order';
export type { Track } from './tracker';
export type { Refusal, TrackResult } from './result';

/** Who reports, and to whom. */
export interface TrackerOptions {
  /** The team, `team_…`. */
  teamId: string;
  /** The server's public URL, such as `https://orders.shop.example`. */
  endpoint: string;
  /** `'off'` keeps no visitor id unless the visitor has consented. Default: kept. */
  visitor?: 'off' | undefined;
}

export function createTracker({ teamId, endpoint, visitor }: TrackerOptions): Track {
  return wireTracker(teamId, endpoint, visitor === 'off', () => {});
}
