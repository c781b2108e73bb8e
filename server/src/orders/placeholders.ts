import { limits } from '../values/limits.js';

/** Fields of a page's report that distinguish orders, visitors and buyers, with their meaning. */
const meant = {
  orderId: 'the id of one order',
  reportId: 'the id of one report',
  visitorId: 'the id of one visitor',
  name: "a buyer's name",
} as const;

/** Names of these fields. */
export const placeholderFields = Object.keys(meant) as (keyof typeof meant)[];

/** Matches most ids, for speed: words of letters and digits with signs between them, and a digit that is no zero. */
const plainId = /^(?=.*[1-9])[a-z\d]+(?:[-_:][a-z\d]+)*$/i;

/** Templates that a shop did not render. */
const templates = [
  /\{\{|\}\}|\{[%!]|[$#@%*!]\{|<[%?#]|\*\||\[%|%%=/, // Liquid, Twig, Smarty, ERB, PHP, Ruby, JavaScript, Mailchimp
  /%7b|&#123;|&#x7b;/i, // a brace, encoded for an address or for HTML
  /\{[$a-z_][^{}\d]*\}|^\{\d\}$/i, // {order_id}; an id in braces has a digit
  /^(?:\[+[a-z]\D*\]|<\/?[a-z]\D*>|%+[a-z]\D*%|__[a-z]\D*__|#+[a-z]\D*#|[$@:]+!?\(?[a-z_]\D*)$/i, // [order_id], %order_id%, $order->id, :id
  /%(?:\d\$)?[sd]$|^(?:async )?function\b|=>/, // order-%s, and a function that was not called
];

/** Words that programs print for no value, zeros, and the name of the id in place of the id, alone or in quotes and brackets. */
const noValue =
  /^[\W_]*(?:undefined|null|nil|none|nan|infinity|true|false|n\/?a|unknown|not (?:set|found)|object object|0(?:[.,]0+|[0-]{5,})?|(?:(?:your|insert)[ ._-]?)?(?:order|transaction)?[ ._-]?(?:id|number)(?:[ ._-]?here)?|(?:window|data|order|checkout)(?:\.[a-z_]+)+)[\W_]*$/i;

/** Matches a shop's prefix without an id: `ORD-`, `order-undefined`. One random id in 1,100 ends in such a sign, but is longer. */
const onlyPrefix = /^\D{0,19}[-_#:/]$|^\D*[\W_](?:undefined|null)$/i;

/** Matches the words that programs print in place of a missing name. `Null` and `None` are names of people. */
const noName = /^(?:undefined|null|NaN)(?:\s+(?:undefined|null|NaN))*$/;

/** True when a page's text can be the id of one order. By a template, or a word for no value, all orders of a shop would be one. */
export function isOrderId(text: string): boolean {
  // The schema refuses longer ones. Some of the patterns take quadratic time.
  if (text.length > limits.id || plainId.test(text)) return true;
  const id = text.trim();
  if (!/[\p{L}\p{N}]/u.test(id) || id === '-1') return false;
  return !noValue.test(id) && !onlyPrefix.test(id) && !isTemplate(id);
}

/** True when a page's text can be a buyer's name. */
export function isName(text: string): boolean {
  // A longer one is cut.
  return text.length > limits.text || !(noName.test(text.trim()) || isTemplate(text.trim()));
}

function isTemplate(text: string): boolean {
  return templates.some((template) => template.test(text));
}

/** Names the meaning of a field of a page's report that holds a placeholder; undefined for all other values and fields. */
export function placeholderFor(field: string, value: unknown): string | undefined {
  if (!Object.hasOwn(meant, field)) return undefined;
  const isPlaceholder =
    field === 'name'
      ? typeof value === 'string' && !isName(value)
      : typeof value === 'boolean' || (typeof value === 'string' && !isOrderId(value));
  return isPlaceholder ? meant[field as keyof typeof meant] : undefined;
}
