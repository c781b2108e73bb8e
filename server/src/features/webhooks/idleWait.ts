import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '../../values/time.js';

/** Pause between two searches for work, while there was some in the last minute. */
const usualMs = 1_000;
/** The same after a minute without any. Another server or a command may have made some. */
const quietMs = 15_000;

/** Pauses of a job that has nothing to do. They end when this server may have made work for it. */
export interface IdleWait {
  /** Records that there is work, or may be some, and ends a pause that goes on. */
  wake(): void;
  /**
   * Waits between two rounds, or until the signal ends it. Never rejects.
   * @param ms null where there was nothing to do
   */
  wait(ms: number | null, signal: AbortSignal): Promise<void>;
}

/** Makes the pauses of a job, so that a server without anything to do asks its database a few times a minute. */
export function createIdleWait({
  nowMs = () => performance.now(),
  pause = pauseUntil,
}: {
  nowMs?: () => number;
  pause?: typeof pauseUntil;
} = {}): IdleWait {
  let workMs = nowMs();
  let end: (() => void) | null = null;
  return {
    wake() {
      workMs = nowMs();
      end?.();
    },
    async wait(ms, signal) {
      const pauseMs = ms ?? (nowMs() - workMs < minuteMs ? usualMs : quietMs);
      // A short pause is not ended: work that comes all the time would make a round of each piece.
      if (pauseMs < quietMs) return pause(pauseMs, signal);
      const waking = new AbortController();
      end = () => waking.abort();
      await pause(pauseMs, AbortSignal.any([signal, waking.signal]));
      end = null;
    },
  };
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
