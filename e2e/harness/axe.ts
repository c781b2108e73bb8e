import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { findContrastFaults } from './contrast.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Finds the accessibility faults of a page by all rules that axe runs by itself but its slow one of contrast. */
async function findFaults(page: Page): Promise<string[]> {
  // Bypasses the page's policy, which blocks such a script.
  await page.evaluate(axe);
  const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } };
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Names the fields that are narrower than their longest choice without need, as an expression for the page. */
const narrowChoices = `[...document.querySelectorAll('select')].filter((field) => {
  const whole = field.cloneNode(true);
  whole.style.cssText = 'position: absolute; width: max-content; min-width: 0; max-width: none';
  field.after(whole);
  const isNarrow = field.offsetWidth < Math.min(whole.offsetWidth, field.form.clientWidth);
  whole.remove();
  return isNarrow && field.checkVisibility();
}).map(({ name }) => name)`;

/** Waits, as an expression for the page, until it is drawn: only then a chart follows the size of the window. */
const afterItIsDrawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** The pixels by which the page, or a box within it that scrolls, is too wide, as an expression for the page. */
const overflow = `Math.max(
  document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('.scroll')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
)`;

/**
 * Asserts that axe finds nothing in a page, nor a text that is hard to read in light or dark, and that at 1280, 768 and
 * 320 px nothing is wider than its window or scrolls sideways, and no field cuts its choices.
 */
export async function expectWellShown(page: Page, state: string): Promise<void> {
  await page.waitForLoadState('load');
  const faults = await findFaults(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion a change of colours has no states in between.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    faults.push(...(await findContrastFaults(page)));
  }
  expect([state, faults]).toEqual([state, []]);
  for (const width of [1280, 768, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(afterItIsDrawn);
    const cut = await page.evaluate<string[]>(narrowChoices);
    expect([state, width, cut, await page.evaluate(overflow)]).toEqual([state, width, [], 0]);
  }
}
