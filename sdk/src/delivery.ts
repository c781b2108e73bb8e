import type { Outcome } from './answer';
import { backoff, timeoutMs } from './backoff';
import type { BrowserApis } from './browser';
import { readJson, withoutField } from './json';
import { runAlone } from './lock';
import type { Outbox, Waiting } from './outbox';
import type { FinalResult, FirstResult, Refusal } from './result';
import type { Transport } from './transport';

/** Decides when each report is sent. */
export interface Delivery {
  /** Sends a report now. Resolves after its first try. */
  send(report: Waiting): Promise<FirstResult>;
  /** Calls back when this page gets the answer to that report. */
  onFinal(key: string, listener: (result: FinalResult) => void): void;
  /** Sends every report that is neither being sent nor held back by the server. */
  sendWaiting(): void;
  /** Sets the timer for the next report. Call it when another tab has changed the outbox. */
  schedule(): void;
  /** Hands over the waiting reports as beacons, because the page may be gone in a moment. */
  handOver(): void;
}

/** 72 hours. */
const ageMsAtMost = 259_200_000;

/** 30 days: a browser that was closed for longer is rarer than a clock that was years off. */
const realAgeMs = ageMsAtMost * 10;

/** `Retry-After` is an hour and a tenth at most. A longer wait was written by a clock that was wrong. */
const waitMsAtMost = 4_000_000;

/** How long a report has to wait yet; 0 when it is due. Timers may fire a little early, by the clock of `at`. */
const leftMs = ({ at = 0 }: Waiting, nowMs: number) =>
  at - nowMs > 50 && at - nowMs < waitMsAtMost ? at - nowMs : 0;

/** @param refuse told of each report that is refused, or given up after 72 hours; makes the result of it */
export function createDelivery(
  browser: Pick<BrowserApis, 'Date' | 'Math' | 'clearTimeout' | 'navigator' | 'setTimeout'>,
  outbox: Outbox,
  transport: Transport,
  refuse: (error: Refusal) => FinalResult,
): Delivery {
  const now = () => browser.Date.now();
  const finalListeners: Record<string, (result: FinalResult) => void> = {};
  let timer: number | undefined;

  const isHeld = (report: Waiting) => report.busy && leftMs(report, now());

  const flush = (isWanted: (report: Waiting) => unknown) => {
    runAlone(browser, () => {
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
    // When the clock is set back meanwhile, the time that the timer was set for has come all the same.
    timer = browser.setTimeout(() => flush((report) => !leftMs(report, Math.max(now(), dueMs))), waitMs);
  };

  /** A report that is being sent is let alone for the time-out and a little more; then it counts as waiting again. */
  const keepBusy = (report: Waiting, tries: number) =>
    outbox.keep({ ...report, at: now() + timeoutMs(tries) + 500, busy: true });

  const end = (key: string, result: FinalResult) => {
    outbox.remove(key);
    finalListeners[key]?.(result);
    return result;
  };

  const settle = async (sent: Waiting, [result, retryAfterMs]: Outcome): Promise<FirstResult> => {
    const { key, tries } = sent;
    if (result.status === 'refused') {
      // The money before the lines. A later try may have been quicker, and delivered it.
      const { items } = readJson(sent.body);
      if (result.error.code === 'payload_too_large' && items && outbox.look(key)) {
        return send({ ...sent, body: withoutField(sent.body, 'items') });
      }
      refuse(result.error);
    }
    if (result.status !== 'pending' && !retryAfterMs) return end(key, result);
    // Not at once: on a page that is left, Chromium fails what is in the air just before `pagehide`, though it
    // goes on. It is busy until then, or a beacon would double it.
    await new Promise<void>((resolve) => browser.setTimeout(resolve, 50));
    const ageMs = now() - sent.since!;
    // The first failure has none, and any other age says that the clock was set: it is counted from now on.
    const since = ageMs > 0 && ageMs < realAgeMs ? sent.since! : now();
    if (now() - since > ageMsAtMost) {
      return end(key, refuse({ code: 'unavailable', message: 'expired' }));
    }
    // By now another tab may have delivered it, or taken the visitor out.
    const report = outbox.look(key);
    const at = now() + backoff(tries, retryAfterMs, browser.Math.random());
    if (report) outbox.keep({ ...report, at, busy: !!retryAfterMs, since });
    return result;
  };

  const send = async (report: Waiting): Promise<FirstResult> => {
    const tries = report.tries + 1;
    const sent = { ...report, tries };
    keepBusy(sent, tries);
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
    handOver() {
      for (const report of outbox.list()) {
        // Its arrival is not told, so the report stays.
        if (!isHeld(report) && transport.beacon(report.body)) keepBusy(report, 1);
      }
    },
  };
}
