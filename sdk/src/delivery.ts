import type { Outcome } from './answer';
import type { BrowserApis } from './browser';
import { withoutLongFields } from './order';
import type { Outbox, WaitingReport } from './outbox';
import type { FinalResult, FirstResult, Refusal } from './result';
import type { Transport } from './transport';

/** Decides when each report is sent. */
export interface Delivery {
  /** Sends a report immediately. Resolves after its first try. */
  _send(report: WaitingReport): Promise<FirstResult>;
  /** Listeners by the keys of reports. Called when this page gets the answer to the report. */
  readonly _finalListeners: Record<string, ((result: FinalResult) => void) | undefined>;
  /** Sends every report that is not in flight and that the server has not asked to hold back. */
  _sendWaiting(): void;
  /** Sets the timer for the next report. Call it when another tab has changed the outbox. */
  _schedule(): void;
  /**
   * Sends each report without an answer in two ways that outlive the page, because the page may be gone in a moment. A
   * beacon, because tools that wrap `fetch` lose its requests. And `fetch`, because a beacon hides the page's origin from
   * the server if the page says `no-referrer`. After that, other pages may send these reports immediately.
   */
  _sendBeacons(): void;
}

/** Age at which a report is given up: 72 hours. */
const ageMsAtMost = 259_200_000;

/**
 * Longest time between two tries that counts towards the 72 hours: five and a half hours. A longer one is cut to this,
 * because somebody may have set the clock or closed the browser.
 */
const gapMsAtMost = 20_000_000;

/**
 * Limit of the time of a try and of the wait after it. A try may take 6, 12, 24 and then 48 s, so that slow networks and
 * slow servers get through. The wait is 0.5 s after the first failure, and then 1.5 times the last wait, up to 48 s.
 */
const msAtMost = 48_000;

/** Longest wait: an hour, the limit of `Retry-After`, and a tenth. A longer one was stored while the clock was wrong. */
const waitMsAtMost = 4_000_000;

/**
 * Creates the delivery of one tracker. Two tabs may send the same report concurrently. The server recognizes it by its id.
 * @param refuse called for each report that is refused, or given up after 72 hours; returns its result
 */
export function createDelivery(
  browser: Pick<BrowserApis, 'Date' | 'Math' | 'clearTimeout' | 'setTimeout'>,
  outbox: Outbox,
  transport: Transport,
  refuse: (error: Refusal) => FinalResult,
): Delivery {
  const now = () => +browser.Date.now();
  /** The reports that this page is sending, by key. True if it was sent because the page may be gone in a moment. */
  const inFlight: Record<string, boolean> = {};
  const finalListeners: Delivery['_finalListeners'] = {};
  let timer: number | undefined;

  /** Returns the time of the first try; now if the report is new. If the clock was set back, the 72 hours begin again. */
  const sinceOf = (report: WaitingReport) =>
    Math.min(now(), report.since! + Math.max(0, now() - report.at! - gapMsAtMost)) || now();

  /** Returns the milliseconds until a report is due, or 0. Timers may fire up to 50 ms early by the clock of `at`. */
  const leftMs = (report: WaitingReport, nowMs = now()) => {
    const ms = report.at! - nowMs;
    return ms > 50 && ms < waitMsAtMost ? ms : 0;
  };

  const isHeld = (report: WaitingReport) => report.busy && leftMs(report);

  const flush = (isWanted: (report: WaitingReport) => unknown) => {
    for (const report of outbox._list().filter(isWanted)) send(report);
    schedule();
  };

  const schedule = () => {
    browser.clearTimeout(timer);
    // Infinity if no report waits.
    const waitMs = Math.min(...outbox._list().map((report) => leftMs(report)));
    const dueMs = now() + waitMs;
    // These reports are due when the timer fires, whatever the clock says then.
    const flushDue = () => flush((report) => !leftMs(report, dueMs));
    if (waitMs < Infinity) timer = browser.setTimeout(flushDue, waitMs);
  };

  const end = (key: string, result: FinalResult) => {
    outbox._remove(key);
    finalListeners[key]?.(result);
    return result;
  };

  /** Ends the report of a try, sends it again without its long fields, or stores when to try again. */
  const settle = async (sent: WaitingReport, [retryAfterMs, result]: Outcome): Promise<FirstResult> => {
    if (result?.status === 'refused') {
      const body = withoutLongFields(sent.body);
      if (result.error.code === 'payload_too_large' && body !== sent.body) return send({ ...sent, body });
      refuse(result.error);
    }
    if (result && !retryAfterMs) return end(sent.key, result);
    // When a page is left, Chromium rejects its requests just before `pagehide`, although it still sends most. The report
    // stays in flight for these 50 ms, so that only a beacon repeats it.
    await new Promise<void>((resolve) => browser.setTimeout(resolve, 50));
    const since = sinceOf(sent);
    if (now() - since > ageMsAtMost) {
      return end(sent.key, refuse({ code: 'unavailable', message: 'unavailable' }));
    }
    // Another tab may have delivered the report by now, or removed the visitor from it.
    const report = outbox._get(sent.key);
    const waitMs = retryAfterMs || Math.min(msAtMost, 334 * 1.5 ** sent.tries);
    // Up to a tenth is added, so that many pages do not retry at the same moment.
    const at = now() + waitMs * (1 + browser.Math.random() / 10);
    if (report) outbox._put({ ...report, at, since, busy: !!retryAfterMs });
    return result;
  };

  const send = async (report: WaitingReport, isLeaving = false): Promise<FirstResult> => {
    const tries = report.tries + 1;
    const limitMs = Math.min(msAtMost, 3_000 * 2 ** tries);
    const sent = {
      ...report,
      tries,
      since: sinceOf(report),
      at: now() + limitMs + 500,
      busy: !isLeaving,
    };
    inFlight[report.key] = isLeaving;
    outbox._put(sent);
    // Browsers limit the requests that outlive their page, and other tools may have used them up. So every other try
    // does not outlive it.
    const outcome = await transport._post(sent, limitMs, isLeaving || tries % 2 > 0);
    const result = await settle(sent, outcome);
    delete inFlight[report.key];
    schedule();
    return result;
  };

  return {
    _send: send,
    _finalListeners: finalListeners,
    _sendWaiting: () => flush((report) => !(isHeld(report) || report.key in inFlight)),
    _schedule: schedule,
    _sendBeacons() {
      for (const report of outbox._list()) {
        if (inFlight[report.key] ?? isHeld(report)) continue;
        transport._beacon(report.body);
        // A fetch is in flight already. Browsers open six connections to a host, and a server that hangs keeps each.
        if (report.key in inFlight) outbox._put({ ...report, busy: false });
        else send(report, true);
        inFlight[report.key] = true;
      }
    },
  };
}
