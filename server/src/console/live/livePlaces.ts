import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';

/**
 * Pages of this server, of one team, and of one browser, which opens six connections to a server over HTTP/1.1. Pages that
 * are never read stay for as long as they are connected, so they must not take all places.
 */
export const pagesAtMost = { ofServer: 200, ofTeam: 50, ofSession: 10 };

/** Takes the place of a page. Returns the function that gives it back. Throws `ApiError` `unavailable` when none is left. */
export type TakePlace = (page: { teamId: Uuid; sessionHash: string }) => () => void;

/** Creates the places of live pages. */
export function createLivePlaces(): TakePlace {
  const { ofServer, ofTeam, ofSession } = pagesAtMost;
  const places = createSemaphore({ concurrent: ofServer, concurrentPerKey: ofTeam, waiting: 0 });
  const placesOfSessions = createSemaphore({
    concurrent: ofServer,
    concurrentPerKey: ofSession,
    waiting: 0,
  });

  return function takePlace({ teamId, sessionHash }) {
    const releaseSession = placesOfSessions.tryAcquire(sessionHash);
    const release = releaseSession && places.tryAcquire(teamId);
    if (release) {
      return () => {
        release();
        releaseSession();
      };
    }
    releaseSession?.();
    throw new ApiError('unavailable', {
      message: 'Too many pages watch orders already. Close some of them.',
      headers: { 'Retry-After': '60' },
    });
  };
}
