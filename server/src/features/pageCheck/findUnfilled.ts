import { exampleEmail } from '../../values/examples.js';
import { findTemplate, type Template } from '../../values/templates.js';
import type { Piece } from './findPieces.js';
import type { PageElement } from './readElements.js';

/**
 * Characters of a script up to which it counts as pasted by the shop. A longer one is a program, whose templates may be meant for
 * the browser.
 */
const pastedCharacters = 8_000;

/** A value that consists of a template: a text in quotes, or without quotes after `:`, `=`, `(` or `,`. */
const value = /(["'`])([^"'`\n]{1,300})\1|[:=(,]\s*((?:\{\{|\{%|<\?|<%|\[\[|%%?[A-Z])[^\n]{1,300})/g;

/** Finds a template that the shop did not fill in with a value of the order; null if there is no such template. */
export function findUnfilled(pieces: readonly Piece[], elements: readonly PageElement[]): Template | null {
  for (const { script, code, callAt } of pieces) {
    if (callAt < 0) continue;
    const isBackticked = code.slice(callAt).includes('`');
    for (const text of [argumentsOf(code.slice(callAt)), ...(isPasted(script) ? valuesOf(code) : [])]) {
      const found = findTemplate(text);
      if (found && !(isBackticked && found.text.startsWith('${'))) return found;
    }
  }
  const data = dataOf(elements);
  return data ? findTemplate(data.text) : null;
}

/** @returns true if the order has the buyer of the printed example */
export function hasExample(pieces: readonly Piece[], elements: readonly PageElement[]): boolean {
  const data = dataOf(elements);
  return (
    pieces.some(({ code }) => code.includes(exampleEmail)) || (data?.text.includes(exampleEmail) ?? false)
  );
}

/** Finds the element that contains the order as JSON. */
export const dataOf = (elements: readonly PageElement[]): PageElement | undefined =>
  elements.find(({ attributes }) => attributes.get('id') === 'orderbeacon-order');

const isPasted = ({ text }: PageElement) => text.length <= pastedCharacters;

/** Returns the arguments of the call with which a text begins, up to the end of its statement. */
const argumentsOf = (code: string) =>
  code.slice(0, pastedCharacters).split(/\)\s*(?:;(?!\s*\?>)|\n|$)/, 1)[0]!;

/** Lists the values in a script that consist of a template. */
const valuesOf = (code: string) =>
  [...code.matchAll(value)].flatMap(([, , quoted, bare]) => {
    const text = (quoted ?? bare ?? '').trim();
    const found = findTemplate(text);
    return found && text.startsWith(found.text) ? [text] : [];
  });
