import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '../../values/time.js';

/** Pause between two searches for work, if there was work in the last minute. */
const usualMs = 1_000;
/** Pause between two searches otherwise. Work of another server or a command waits that long. */
const quietMs = 15_000;

/** The pauses of a job without work. A long pause ends as soon as this server may have made work. */
export interface IdleWait {
  /** Records that there may be work, and ends a running long pause. */
  wake(): void;
  /**
   * Waits between two rounds, or until the signal aborts. Never rejects.
   * @param ms null if there was no work
   */
  wait(ms: number | null, signal: AbortSignal): Promise<void>;
}

/** Creates the pauses of a job. With them, an idle server asks its database only a few times a minute. */
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
      // A short pause is not ended early. Otherwise, steady work would need one round for each piece.
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
