import { setTimeout as delay } from 'node:timers/promises';

const withinMs = 10_000;

/**
 * Waits for the end of a tab or of a context with tabs, and 10 s at most. Chromium 156 sometimes never answers that a tab
 * is closed which was leaving its page. The browser ends it later.
 */
export async function closeInTime(closing: Promise<unknown>): Promise<void> {
  await Promise.race([closing, delay(withinMs, undefined, { ref: false })]);
}
