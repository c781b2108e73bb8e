import { backoff } from './backoff';
import type { Outbox, Waiting } from './outbox';
import type { TrackResult } from './result';
import { type Post, timeoutMs } from './transport';

/** A report in the air is let alone for the time-out and a little more, then it counts as waiting again. */
const flightMs = timeoutMs + 500;

/** @param browser for beacons, and for Web Locks where it has them (secure origins) */
export function createDelivery(
  outbox: Outbox,
  post: Post,
  browser: Pick<Navigator, 'sendBeacon' | 'locks'>,
): (report: Waiting) => Promise<TrackResult> {
  // Timers may fire a little early, by the clock that `at` was written with.
  const due = (all?: boolean) =>
    outbox.list().filter((report) => report.at! < Date.now() + 50 || (!report.busy && all));

  const keep = (report: Waiting, delayMs: number, busy?: boolean) => {
    report.at = Date.now() + delayMs;
    report.busy = busy;
    outbox.set(report.key, report);
    setTimeout(flush, delayMs);
  };

  const send = async (report: Waiting) => {
    report.tries++;
    keep(report, flightMs, true);
    const [outcome, retryAfterMs] = await post(report.url, report.body);
    // Not at once: on a page that is left, Chromium fails what is in the air just before `pagehide`, though it
    // goes on. It is busy until then, or a beacon would double it.
    if (outcome.status === 'pending')
      setTimeout(keep, 50, report, backoff(report.tries, retryAfterMs, Math.random()));
    else outbox.set(report.key);
    return outcome;
  };

  const flush = async () => {
    const work = () => due().map(send);
    try {
      await browser.locks.request(
        'ob',
        // Held until other tabs see in storage what this one has taken; held longer, or for nothing, it would
        // keep the page out of the back/forward cache.
        () => work()[0] && new Promise((done) => setTimeout(done, 50)),
      );
    } catch {
      // No locks here, or refused in a sandboxed frame: a double is harmless, a lost order is not.
      work();
    }
  };

  const hurry = () => due(true).map((report) => keep(report, 0));

  const hide = () =>
    due(true).map((report) => browser.sendBeacon(report.url, report.body) && keep(report, flightMs, true));

  const wake = () => (document.hidden ? hide() : hurry());

  addEventListener('online', wake);
  addEventListener('visibilitychange', wake);
  addEventListener('pagehide', hide);
  hurry();
  // What an earlier page was still sending when it went away counts as waiting by then.
  setTimeout(flush, flightMs);

  return send;
}
