import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { findContrastFaults } from './contrast.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe's rules about colours: of texts, which `findContrastFaults` runs, and of links within texts. */
const [contrast, links] = ['color-contrast', 'link-in-text-block'];

/** Finds the accessibility faults of a page by all rules that axe runs by itself, or by those about colours. */
async function findFaults(page: Page, rules: 'all' | 'colours'): Promise<string[]> {
  // Bypasses the page's policy, which blocks such a script. A page that was looked at before has it already.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const chosen =
    rules === 'all'
      ? { rules: { [contrast]: { enabled: false } } }
      : { runOnly: { type: 'rule', values: [links] } };
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...chosen })})`,
  );
  const faults = found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
  return [...faults, ...(await findContrastFaults(page))];
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

/** Both sides of the breakpoints of all pages (54rem and 60rem). */
const [wide, narrow] = [1280, 320];
/** Has the elements and the colours of narrow, and its own lines, which may be too long. */
const between = 768;

/**
 * Asserts that axe finds nothing in a page, light and dark, 1280 and 320 px wide, and that nothing is wider than its
 * window or scrolls sideways, and no field cuts its choices, there and at 768 px.
 * @param options.hasScript false where the page's own scripts do not run: then a table may scroll within its box
 */
export async function expectWellShown(
  page: Page,
  state: string,
  { hasScript = true }: { hasScript?: boolean } = {},
): Promise<void> {
  const boxes = hasScript ? `...document.querySelectorAll('.scroll')` : '';
  await page.waitForLoadState('load');
  for (const width of [wide, between, narrow]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of width === between ? (['light'] as const) : (['light', 'dark'] as const)) {
      // Without motion a change of colours has no states in between.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(afterItIsDrawn);
      // Dark differs from light in colours alone.
      const rules = colorScheme === 'dark' ? 'colours' : 'all';
      const faults = width === between ? [] : await findFaults(page, rules);
      const cut = await page.evaluate<string[]>(narrowChoices);
      const overflow = await page.evaluate(`Math.max(
        document.documentElement.scrollWidth - innerWidth,
        ...[${boxes}].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      )`);
      expect([state, colorScheme, width, faults, cut, overflow]).toEqual([
        state,
        colorScheme,
        width,
        [],
        [],
        0,
      ]);
    }
  }
}
