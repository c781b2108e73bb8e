import { setTimeout as delay } from 'node:timers/promises';

const withinMs = 10_000;

/**
 * Waits at most 10 s for the end of a tab or of a context with tabs. If a tab of Chromium 156 closes while it leaves its page,
 * the browser sometimes never reports the end. It ends the tab later.
 */
export async function closeInTime(closing: Promise<unknown>): Promise<void> {
  await Promise.race([closing, delay(withinMs, undefined, { ref: false })]);
}
