import { limits } from '../values/limits.js';
import { isTemplate } from './isTemplate.js';

/** Matches most ids: letters and digits, with dashes between, and a digit that is no zero. Nothing below matches one of these. */
const plainId = /^(?=.*[1-9])[a-z\d]+(?:-[a-z\d]+)*$/i;

/** Matches words for no value, as programs print them, zeros, and minus one. */
const noValue =
  /^(undefined|null|nil|none|nan|not (set|found|available)|unknown|empty|missing|infinity|true|false|n[/.]?a|invalid date|(object )?object|0([.,]0+)?|0[0-]{5,})$/i;

/** Matches such a word behind a prefix of the shop's own, as in `order-undefined`. A digit before it can tell orders apart. */
const prefixedNoValue = /^\D*[\W_](undefined|null|nan)$/i;

/** Matches a prefix that nothing follows, as in `ORD-` and `Order #`. One random id in 1,100 ends like this, but none is so short. */
const onlyPrefix = /^\D{0,19}[-_#:/]$/;

/** Matches the name of the value in place of the value: `ORDER_ID`, `your-order-id`, `window.orderId`. */
const nameOfId =
  /^((your|insert|sample|example)[ ._-]?)?((order|transaction|purchase|invoice|checkout|payment)([ ._-]?(id|number|no|nr|name|ref|reference|key|token))?|id)([ ._-]?here)?$|^[a-z_]+(\.[a-z_]+)+$/i;

/** Matches the characters around a value, such as quotes and brackets. */
const wrapping = /^[\W_]+|[\W_]+$/g;

/** Matches a text with a letter or a digit. */
const hasCharacter = /[\p{L}\p{N}]/u;

/**
 * True when a page's text can be the id of one order. False for a template that was not rendered and for a value that is
 * none: by such an id all orders of a shop would be one.
 */
export function isOrderId(text: string): boolean {
  // The schema refuses longer ones. Some of the patterns take quadratic time.
  if (text.length > limits.id || plainId.test(text)) return true;
  const id = text.trim();
  if (!hasCharacter.test(id) || id === '-1' || onlyPrefix.test(id) || prefixedNoValue.test(id)) return false;
  const inside = id.replace(wrapping, '');
  return !noValue.test(inside) && !nameOfId.test(inside) && !isTemplate(id);
}
