import type { Clock } from '../../../database/clock.js';

/** The last time at which this server could not take what shops sent: its own start, until something else is recorded. */
export interface AwayTime {
  until(): Date;
  /** Records that an event got no answer but 503, or that the database is away. */
  record(): void;
}

/** Makes the record of the time at which events were last lost. It is by the database's clock, because others compare with it. */
export function createAwayTime({ nowMs }: Pick<Clock, 'nowMs'>): AwayTime {
  let untilMs = nowMs();
  return {
    until: () => new Date(untilMs),
    record() {
      untilMs = nowMs();
    },
  };
}
