import { parseUrl } from '../values/parseUrl.js';
import { createSemaphore, type Release } from '../values/semaphore.js';
import type { DeliveryBounds } from './deliveryBounds.js';
import type { DueHook } from './hook.js';
import { createShares } from './shares.js';

/** Places of attempts in flight. */
export interface Places {
  /**
   * Takes a place for an attempt; null when there is none now.
   * @param isSlow true for a hook that fails or is slow
   */
  tryAcquire(hook: Pick<DueHook, 'teamId' | 'url'>, isSlow: boolean): Release | null;
}

/**
 * Limits attempts in flight: in total and to hooks that fail or are slow, both shared by the teams, and of each team per
 * host, because many teams have webhooks to one host, such as Slack's.
 */
export function createPlaces({ inFlight, inFlightPerHost, inFlightSlow }: DeliveryBounds): Places {
  const all = createShares(inFlight);
  const ofSlow = createShares(inFlightSlow);
  const ofHosts = createSemaphore({ concurrent: inFlight, concurrentPerKey: inFlightPerHost, waiting: 0 });
  return {
    tryAcquire({ teamId, url }, isSlow) {
      const releases: Release[] = [];
      const release = () => {
        for (const one of releases) one();
      };
      const kinds = [() => ofHosts.tryAcquire(`${teamId} ${hostOf(url)}`), () => all.tryAcquire(teamId)];
      if (isSlow) kinds.push(() => ofSlow.tryAcquire(teamId));
      for (const acquire of kinds) {
        const acquired = acquire();
        if (acquired === null) {
          release();
          return null;
        }
        releases.push(acquired);
      }
      return release;
    },
  };
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}
