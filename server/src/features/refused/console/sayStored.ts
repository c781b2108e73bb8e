import type { ConsoleContext } from '../../../console/context.js';
import { counted } from '../../../console/parts/format.js';
import { type Flash, setFlash } from '../../../console/parts/layout.js';
import type { Stored } from './storeRefused.js';

/** Leads to the list, which says what became of the reports. */
export function sayStored(c: ConsoleContext, stored: Stored): Response {
  setFlash(c, wordsOf(c, stored));
  return c.redirect(c.var.link('/refused'), 303);
}

function wordsOf(c: ConsoleContext, { stored, known, refused, left }: Stored): Flash {
  const say = (number: number, one: string, many: string) =>
    number > 0 ? [counted(number, one, c.var.viewer, many)] : [];
  const words = [
    ...say(stored, 'order is stored.', 'orders are stored.'),
    ...say(known, 'was already stored; nothing changed.', 'were already stored; nothing changed.'),
    ...say(refused, 'was refused again, and stays below.', 'were refused again, and stay below.'),
    ...say(left, 'is left: press again.', 'are left: press again.'),
  ];
  if (words.length === 0) words.push('Nothing was left to do. Someone else has already done it.');
  return { words: words.join(' '), tone: refused + left === 0 ? 'good' : 'bad' };
}
