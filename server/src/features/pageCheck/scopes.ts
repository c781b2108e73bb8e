import type { PageElement } from './readElements.js';
import { deadType, escapeName, withoutComments, withoutTexts } from './readScript.js';

/**
 * True for a place of a script within a function, which may run at any time. Functions that are called where they stand
 * are none.
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

/** Length of code before a brace that says what it opens. */
const headCharacters = 300;
/** No sound script is nested as deeply. */
const depthAtMost = 100;
const isFunctionHead =
  /(?:=>|\bfunction\b[^{}]*\)|(?<!\b(?:if|for|while|switch|catch|with)\s{0,9})\([^(){}]*\))\s*$/;
const isCalledThere =
  /(?:^|[;,{}\n=])\s*(?:[!+~-]|void\s|\()\s*(?:async\s*)?(?:function\b[\w$\s]*\([^(){}]*\)|\([^(){}]*\)\s*=>)\s*$/;

/** Positions of the braces that are open at a place. Those within texts count for nothing. */
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
 * Finds a name that a script of the page declares for all its scripts, as it is written there; null if there is none.
 * One that is set to the function of that name in `window` is the same.
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
    // A module's names are its own.
    if (/module$/i.test(attributes.get('type') ?? '') || !text.includes(global)) continue;
    const code = withoutComments(text);
    const [first] = code.matchAll(declared);
    if (first && openBraces(code, first.index).length === 0) return first[0];
  }
  return null;
}
