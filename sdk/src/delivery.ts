import { backoff } from './backoff';
import type { Outbox, Waiting } from './outbox';
import type { TrackResult } from './result';
import { ENDED, type Say, SENT } from './steps';
import { type Post, timeoutMs } from './transport';

/** Decides when each report is sent. */
export interface Delivery {
  /** Keeps the report, then sends it, both before it returns. Resolves when this first try has ended. */
  send(report: Waiting): Promise<TrackResult>;
  /** Sends what is due, or, with `all`, everything that waits. One tab at a time. */
  flush(all?: boolean): Promise<void>;
  /** The page may never come back: what waits goes out as beacons, and stays until an answer is seen. */
  hide(): void;
}

/** A report in the air is let alone for the time-out and a little more, then it counts as waiting again. */
const flightMs = timeoutMs + 500;

const lockMs = 50;

/** @param locks Web Locks, where the browser has them (secure origins) */
export function createDelivery(
  outbox: Outbox,
  post: Post,
  beacon: (url: string, body: string) => unknown,
  locks: LockManager | undefined,
  say: Say,
): Delivery {
  let timer: ReturnType<typeof setTimeout>;

  // Timers may fire a little early, by the clock that `at` was written with.
  const due = (all?: boolean) =>
    outbox.list().filter(({ at, flying }) => at < Date.now() + 50 || (all && !flying));

  const keep = (report: Waiting, delayMs: number, flying: boolean) => {
    report.at = Date.now() + delayMs;
    report.flying = flying;
    outbox.put(report);
    schedule();
  };

  const send = async (report: Waiting) => {
    report.tries++;
    keep(report, flightMs, true);
    say(SENT, report);
    const [outcome, retryAfterMs] = await post(report.url, report.body);
    say(ENDED, report, outcome);
    if (outcome.status === 'pending') keep(report, backoff(report.tries, retryAfterMs, Math.random()), false);
    else outbox.remove(report.id);
    return outcome;
  };

  const schedule = () => {
    clearTimeout(timer);
    const next = Math.min(...outbox.list().map(({ at }) => at));
    // Half a second at least, where another tab is at it; a minute at most, as setTimeout takes 24 days at most.
    if (next < Infinity) timer = setTimeout(flush, Math.max(500, Math.min(6e4, next - Date.now())));
  };

  const flush = async (all?: boolean) => {
    const work = () => due(all).forEach(send);
    try {
      await locks!.request('ob', { ifAvailable: true }, (lock) => {
        if (!lock) return;
        work();
        // Held until other tabs see in storage what this one has taken; held longer, it would keep the page
        // out of the back/forward cache.
        return new Promise((done) => setTimeout(done, lockMs));
      });
    } catch {
      // No locks here, or refused in a sandboxed frame: a double is harmless, a lost order is not.
      work();
    }
    schedule();
  };

  return {
    send,
    flush,
    hide() {
      for (const report of due(true)) {
        if (beacon(report.url, report.body)) keep(report, flightMs, true);
      }
    },
  };
}
