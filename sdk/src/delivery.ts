import type { Outcome } from './answer';
import { backoff, timeoutMs } from './backoff';
import type { BrowserApis } from './browser';
import { readJson, withoutField } from './json';
import { withLock } from './lock';
import type { Outbox, WaitingReport } from './outbox';
import type { FinalResult, FirstResult, Refusal } from './result';
import type { Transport } from './transport';

/** Decides when each report is sent. */
export interface Delivery {
  /** Sends a report immediately. Resolves after its first try. */
  send(report: WaitingReport): Promise<FirstResult>;
  /** Calls `listener` when this page gets the answer to that report. */
  onFinal(key: string, listener: (result: FinalResult) => void): void;
  /** Sends every report that is not in flight and that the server has not asked to hold back. */
  sendWaiting(): void;
  /** Sets the timer for the next report. To be called when another tab has changed the outbox. */
  schedule(): void;
  /** Sends the waiting reports as beacons, because the page may be gone in a moment. */
  sendBeacons(): void;
}

/** Reports are given up after 72 hours. */
const ageMsAtMost = 259_200_000;

/**
 * 30 days. An age above it counts as a clock that was set, because such clocks are more common than browsers that
 * were closed for longer.
 */
const realAgeMs = ageMsAtMost * 10;

/** `Retry-After` is limited to an hour, and a tenth is added. A longer wait was stored while the clock was wrong. */
const waitMsAtMost = 4_000_000;

/** Milliseconds until a report is due, or 0. Timers may fire up to 50 ms early by the clock of `at`. */
const leftMs = ({ at = 0 }: WaitingReport, nowMs: number) =>
  at - nowMs > 50 && at - nowMs < waitMsAtMost ? at - nowMs : 0;

/**
 * Creates the delivery of one tracker.
 * @param refuse called for each report that is refused, or given up after 72 hours; returns its result
 */
export function createDelivery(
  browser: Pick<BrowserApis, 'Date' | 'Math' | 'clearTimeout' | 'navigator' | 'setTimeout'>,
  outbox: Outbox,
  transport: Transport,
  refuse: (error: Refusal) => FinalResult,
): Delivery {
  const now = () => browser.Date.now();
  const finalListeners: Record<string, (result: FinalResult) => void> = {};
  let timer: number | undefined;

  const isHeld = (report: WaitingReport) => report.busy && leftMs(report, now());

  const flush = (isWanted: (report: WaitingReport) => unknown) => {
    withLock(browser, () => {
      outbox.list().filter(isWanted).forEach(send);
      schedule();
    });
  };

  const schedule = () => {
    browser.clearTimeout(timer);
    const waitsMs = outbox.list().map((report) => leftMs(report, now()));
    if (!waitsMs.length) return;
    const waitMs = Math.min(...waitsMs);
    const dueMs = now() + waitMs;
    // If the clock is set back before the timer fires, its reports are due nevertheless.
    timer = browser.setTimeout(() => flush((report) => !leftMs(report, Math.max(now(), dueMs))), waitMs);
  };

  /** Keeps all tabs from sending a report again before its time-out and another half second have passed. */
  const markInFlight = (report: WaitingReport, tries: number) =>
    outbox.put({ ...report, at: now() + timeoutMs(tries) + 500, busy: true });

  const end = (key: string, result: FinalResult) => {
    outbox.remove(key);
    finalListeners[key]?.(result);
    return result;
  };

  const settle = async (sent: WaitingReport, [result, retryAfterMs]: Outcome): Promise<FirstResult> => {
    const { key, tries } = sent;
    if (result.status === 'refused') {
      // Sent again without its items, because the amount matters more. A later try may have delivered it already.
      const { items } = readJson(sent.body);
      if (result.error.code === 'payload_too_large' && items && outbox.get(key)) {
        return send({ ...sent, body: withoutField(sent.body, 'items') });
      }
      refuse(result.error);
    }
    if (result.status !== 'pending' && !retryAfterMs) return end(key, result);
    // When a page is left, Chromium rejects its requests just before `pagehide`, although they are still sent. The
    // report stays in flight for these 50 ms, or a beacon would send it a second time.
    await new Promise<void>((resolve) => browser.setTimeout(resolve, 50));
    const ageMs = now() - sent.since!;
    // A report that fails for the first time has no `since`. An impossible age means that the clock was set. In both
    // cases the 72 hours begin now.
    const since = ageMs > 0 && ageMs < realAgeMs ? sent.since! : now();
    if (now() - since > ageMsAtMost) {
      return end(key, refuse({ code: 'unavailable', message: 'expired' }));
    }
    // Another tab may have delivered the report by now, or removed the visitor from it.
    const report = outbox.get(key);
    const at = now() + backoff(tries, retryAfterMs, browser.Math.random());
    if (report) outbox.put({ ...report, at, busy: !!retryAfterMs, since });
    return result;
  };

  const send = async (report: WaitingReport): Promise<FirstResult> => {
    const tries = report.tries + 1;
    const sent = { ...report, tries };
    markInFlight(sent, tries);
    const result = await settle(sent, await transport.post(sent.body, timeoutMs(tries)));
    schedule();
    return result;
  };

  return {
    send,
    onFinal(key, listener) {
      finalListeners[key] = listener;
    },
    sendWaiting() {
      if (outbox.list().length) flush((report) => !isHeld(report));
    },
    schedule,
    sendBeacons() {
      for (const report of outbox.list()) {
        // The report stays in the outbox, because a beacon has no answer.
        if (!isHeld(report) && transport.beacon(report.body)) markInFlight(report, 1);
      }
    },
  };
}
