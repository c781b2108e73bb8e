import type { Clock } from '../../../database/clock.js';

/**
 * The last time at which this server could not store the events of shops. It is the server's start until `record` is
 * called.
 */
export interface AwayTime {
  until(): Date;
  /** Records that an event was answered with a server error, or that the database cannot be reached. */
  record(): void;
}

/**
 * Creates the record of when events were last lost. It uses the database's clock, because its times are compared with
 * those of other servers.
 */
export function createAwayTime({ nowMs }: Pick<Clock, 'nowMs'>): AwayTime {
  let untilMs = nowMs();
  return {
    until: () => new Date(untilMs),
    record() {
      untilMs = nowMs();
    },
  };
}
