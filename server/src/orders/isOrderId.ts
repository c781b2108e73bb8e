import { limits } from '../values/limits.js';

/** Templates that were not rendered, as the languages of shops write them. */
const templates = [
  /\{\{.*\}\}/s, // Liquid, Twig, Handlebars, Angular: {{ order.id }}
  /\{%.*%\}/, // Liquid, Twig: {% … %}
  /<[%?].*[%?]>/, // ERB, ASP, PHP: <%= id %>, <?= $id ?>
  /\[\[.*\]\]/, // Thymeleaf, Polymer: [[ORDER_ID]]
  /\[%.*%\]/, // Template Toolkit: [% order.id %]
  /[$#]\{.*\}/, // JavaScript, JSP, Ruby: ${id}, #{id}
  /^\$\(.*\)$/, // Volusion, jQuery: $(OrderID)
  /^#+[a-z_][\w.]*#+$/i, // ColdFusion: #order.id#, ##ORDER_ID##
  /^@[a-z_][\w.]*$/i, // Razor: @Model.OrderId
  /^\{\$.*\}$/, // Smarty: {$order.id}
  /\*\|.*\|\*/, // Mailchimp: *|ORDER_ID|*
  /^%+[a-z_][\w.-]*%*$/i, // %order_id%, %%ORDER%%, %s
  /^\$[a-z_]\w*(?:(?:->|\[).*)?$/i, // PHP: $order_id, $order->id, $order['id']
  /^:[a-z_]\w*$/i, // Routes: :id
  /^\{[a-z_][\w.-]*\}$/i, // {order_id}
  /^\[[a-z_][\w. :-]*\]$/i, // [order_id], [object Object], Drupal: [order:id]
  /^<[a-z_][\w. -]*>$/i, // <order-id>
  /^__[a-z]\w*__$/i, // __ORDER_ID__
  /^((your|insert)[ _-]?)?(order|transaction)[ ._-]?(id|number|no)([ _-]?here)?$/i, // the name itself
];

/** Words for no value, as programs print them, and zero. */
const noValue =
  /^\(?(undefined|null|nil|none|nan|not set|-?infinity|true|false|n\/a|invalid date|(object )?object|-?0(\.0+)?)\)?$/i;

/** Matches such a word behind a prefix of the shop's own, as in `order-undefined`. A digit before it can tell orders apart. */
const prefixedNoValue = /^\D*[\W_](undefined|null|nan)$/i;

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
  const isNoValue = noValue.test(id) || prefixedNoValue.test(id);
  return hasCharacter.test(id) && !isNoValue && !templates.some((template) => template.test(id));
}
