import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Finds the accessibility faults of a page, with axe. */
export async function findFaults(page: Page): Promise<string[]> {
  // Bypasses the page's policy, which blocks such a script.
  await page.evaluate(axe);
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
