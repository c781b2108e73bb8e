import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { findContrastFaults } from './contrast.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Finds the accessibility faults of a page, by all default rules of axe except the slow one of contrast. */
async function findFaults(page: Page): Promise<string[]> {
  // This bypasses the page's policy, which would block such a script.
  await page.evaluate(axe);
  const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } };
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Expression for the page. Names the fields that are unnecessarily narrower than their longest choice. */
const narrowChoices = `[...document.querySelectorAll('select')].filter((field) => {
  const whole = field.cloneNode(true);
  whole.style.cssText = 'position: absolute; width: max-content; min-width: 0; max-width: none';
  field.after(whole);
  const isNarrow = field.offsetWidth < Math.min(whole.offsetWidth, (field.form ?? field.parentElement).clientWidth);
  whole.remove();
  return isNarrow && field.checkVisibility();
}).map(({ name }) => name)`;

/** Expression for the page. Computes the pixels by which the page, or a scrolling box in it, is too wide. */
const overflow = `Math.max(
  document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('.scroll')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
)`;

/**
 * Asserts that a page is accessible and fits. Axe must find nothing, nor a text that is hard to read. Nothing may be wider than
 * the window or scroll sideways, in the current width and at 320 px, where no field may cut its choices. Colours of other pages
 * are checked in both schemes; the console's have a separate test (`server/test/console/consoleColours.test.ts`).
 */
export async function expectWellShown(page: Page, state: string): Promise<void> {
  await page.waitForLoadState('load');
  const faults = await findFaults(page);
  const isConsole = (await page.locator('html[data-mode]').count()) > 0;
  for (const colorScheme of isConsole ? [] : (['light', 'dark'] as const)) {
    // Without animations, a change of colours has no states in between.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    faults.push(...(await findContrastFaults(page)));
  }
  expect([state, faults]).toEqual([state, []]);
  expect([state, await page.evaluate(overflow)]).toEqual([state, 0]);
  await page.setViewportSize({ width: 320, height: 800 });
  const cut = await page.evaluate<string[]>(narrowChoices);
  expect([state, cut, await page.evaluate(overflow)]).toEqual([state, [], 0]);
}
