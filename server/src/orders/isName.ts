import { limits } from '../values/limits.js';
import { isTemplate } from './isTemplate.js';

/** Matches what programs print in place of names that they do not have. `Null` and `None` are names of people. */
const noName = /^(?:undefined|null|NaN)(?:\s+(?:undefined|null|NaN))*$/;

/** Matches a character that every template has, and hardly any name. */
const templateCharacter = /[[\]{}<>$#@%*:_(]/;

/** True when a page's text can be a buyer's name. False for a template that was not rendered, and for `undefined undefined`. */
export function isName(text: string): boolean {
  // A longer one is cut. Some of the patterns of templates take quadratic time.
  if (text.length > limits.text) return true;
  const name = text.trim();
  return !noName.test(name) && !(templateCharacter.test(name) && isTemplate(name));
}
