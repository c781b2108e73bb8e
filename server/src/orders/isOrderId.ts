import { limits } from '../values/limits.js';

/** Templates that were not rendered, as the languages of shops write them. */
const templates = [
  /\{\{.*\}\}/, // Liquid, Twig, Handlebars, Angular: {{ order.id }}
  /\{%.*%\}/, // Liquid, Twig: {% … %}
  /<[%?].*[%?]>/, // ERB, ASP, PHP: <%= id %>, <?= $id ?>
  /\[\[.*\]\]/, // Thymeleaf, Polymer: [[ORDER_ID]]
  /[$#]\{.*\}/, // JavaScript, JSP, Ruby: ${id}, #{id}
  /\*\|.*\|\*/, // Mailchimp: *|ORDER_ID|*
  /^%+[a-z_][\w.-]*%*$/i, // %order_id%, %%ORDER%%, %s
  /^\$[a-z_]\w*$/i, // PHP: $order_id
  /^:[a-z_]\w*$/i, // Routes: :id
  /^\{[a-z_][\w.-]*\}$/i, // {order_id}
  /^\[[a-z_][\w. -]*\]$/i, // [order_id], [object Object]
  /^<[a-z_][\w. -]*>$/i, // <order-id>
  /^__[a-z]\w*__$/i, // __ORDER_ID__
  /^(your[ _-]?)?order[ _-]?(id|number|no)$/i, // the name itself
];

/** Words for no value, as programs print them, and zero. */
const noValue =
  /^(undefined|null|nil|none|nan|-?infinity|true|false|n\/a|invalid date|(object )?object|-?0(\.0+)?)$/i;

/** True when a text has a letter or a digit. */
const hasCharacter = /[\p{L}\p{N}]/u;

/**
 * True when a page's text can be the id of one order. False for a template that was not rendered and for a value that is
 * none: by such an id all orders of a shop would be one.
 */
export function isOrderId(text: string): boolean {
  // The schema refuses longer ones. Some of the patterns take quadratic time.
  if (text.length > limits.id) return true;
  const id = text.trim();
  return hasCharacter.test(id) && !noValue.test(id) && !templates.some((template) => template.test(id));
}
