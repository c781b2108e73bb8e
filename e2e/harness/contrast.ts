import type { Page } from 'playwright';

/** The part of axe that is used here. */
interface Axe {
  run(
    context: { include: Element[] },
    options: object,
  ): Promise<{
    violations: { id: string; nodes: { html: string }[] }[];
    passes: { nodes: { element: Element }[] }[];
  }>;
}

/** The colours of texts, and of what is behind them, that axe has passed in this process. */
const passed = new Set<string>();

/**
 * Finds texts of a page that axe calls hard to read for their colours. Axe must be in the page. It judges each text
 * whose colours it has not passed before: to judge the same colours in each row, page, state and width again took two
 * thirds of the time of all its rules.
 */
export async function findContrastFaults(page: Page): Promise<string[]> {
  const { faults, colors } = await page.evaluate(judge, [...passed]);
  for (const color of colors) passed.add(color);
  return faults;
}

/** Runs in the page. */
async function judge(passed: string[]) {
  const known = new Set(passed);
  const backgrounds = new Map<Element, string>();

  function backgroundOf(element: Element): string {
    const found = backgrounds.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
    const behind = element.parentElement ? backgroundOf(element.parentElement) : '';
    const background = own === 'rgba(0, 0, 0, 0) none 1' ? behind : `${own} on ${behind}`;
    backgrounds.set(element, background);
    return background;
  }

  function colorsOf(element: Element): string {
    // Large and bold texts need less contrast.
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return `${color} ${fontSize} ${fontWeight} ${textShadow} on ${backgroundOf(element)}`;
  }

  const hasText = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '');
  // Axe cannot judge a text on a picture, such as the arrow of a `<select>`.
  const isOnPicture = (element: Element) => getComputedStyle(element).backgroundImage !== 'none';
  const include = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility() && hasText(element) && !isOnPicture(element) && !known.has(colorsOf(element)),
  );
  if (include.length === 0) return { faults: [], colors: [] };
  const { violations, passes } = await (window as never as { axe: Axe }).axe.run(
    { include },
    {
      runOnly: { type: 'rule', values: ['color-contrast'] },
      resultTypes: ['violations', 'passes'],
      elementRef: true,
    },
  );
  return {
    faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
    colors: passes.flatMap(({ nodes }) => nodes.map(({ element }) => colorsOf(element))),
  };
}
