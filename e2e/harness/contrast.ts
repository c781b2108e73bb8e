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

/** Colours of texts, and of their backgrounds, that axe has passed in this process. */
const passed = new Set<string>();

/**
 * Finds texts of a page whose colours make them hard to read, by axe. Axe must be in the page. It only checks texts with colours
 * that it has not passed before. Checking the same colours again, in each row, page, state and width, took two thirds of the time
 * of all rules.
 */
export async function findContrastFaults(page: Page): Promise<string[]> {
  const { faults, colors } = await page.evaluate(judge, [...passed]);
  for (const color of colors) passed.add(color);
  return faults;
}

/** Checks the texts of a page. It runs in the page. */
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
  // Axe cannot check a text on a picture, such as the arrow of a `<select>`.
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
