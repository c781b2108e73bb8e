import type { PageElement } from './readElements.js';
import { deadType, escapeName, withoutComments, withoutTexts } from './readScript.js';

/**
 * @returns true if a position in a script is within a function that may run at any later time. A function that is
 * called where it is written does not count.
 */
export function runsLater(code: string, at: number): boolean {
  if (/=>\s*(?:[\w$]+\.)?$/.test(code.slice(Math.max(0, at - headCharacters), at))) return true;
  return openBraces(code, at)
    .slice(-depthAtMost)
    .some((brace) => {
      const head = code.slice(Math.max(0, brace - headCharacters), brace);
      return isFunctionHead.test(head) && !isCalledThere.test(head);
    });
}

/** Characters before a brace by which the kind of its block is found. */
const headCharacters = 300;
/** Open braces that are checked at most. A script without faults is nested less deeply. */
const depthAtMost = 100;
const isFunctionHead =
  /(?:=>|\bfunction\b[^{}]*\)|(?<!\b(?:if|for|while|switch|catch|with)\s{0,9})\([^(){}]*\))\s*$/;
const isCalledThere =
  /(?:^|[;,{}\n=])\s*(?:[!+~-]|void\s|\()\s*(?:async\s*)?(?:function\b[\w$\s]*\([^(){}]*\)|\([^(){}]*\)\s*=>)\s*$/;

/** Lists the positions of the braces that are open at a position. Braces within strings do not count. */
function openBraces(code: string, at: number): number[] {
  const open: number[] = [];
  const plain = withoutTexts(code.slice(0, at));
  for (let index = 0; index < at; index++) {
    if (plain[index] === '{') open.push(index);
    else if (plain[index] === '}') open.pop();
  }
  return open;
}

/**
 * Finds the declaration of a name that is global to the page's scripts, as it is written there; null if no script
 * declares it. A declaration that is set to the function of that name in `window` does not count.
 */
export function findOwnName(elements: readonly PageElement[], global: string): string | null {
  const name = escapeName(global);
  const declared = new RegExp(
    `(?<![\\w$.])(?:const|let|class|var|function)\\s+${name}(?![\\w$])(?!\\s*=\\s*(?:window|self|globalThis)\\b)`,
    'g',
  );
  for (const element of elements) {
    const { attributes, text } = element;
    if (element.name !== 'script' || attributes.has('src') || deadType(element) !== null) continue;
    // The names of a module are not global.
    if (/module$/i.test(attributes.get('type') ?? '') || !text.includes(global)) continue;
    const code = withoutComments(text);
    const [first] = code.matchAll(declared);
    if (first && openBraces(code, first.index).length === 0) return first[0];
  }
  return null;
}
