/** Templates that were not rendered, as the languages of shops write them. */
const templates = [
  /\{\{|\}\}/, // Liquid, Twig, Handlebars, Angular: {{ order.id }}, and one that was cut
  /\{[%$#!].*\}/s, // Liquid, Smarty, Blade, Salesforce: {% … %}, {$order.id}, {!! $id !!}, {!Order.Id}
  /[$#@%*!]\{.*\}/s, // JavaScript, JSP, Ruby, Thymeleaf: ${id}, #{id}, @{id}, %{id}, *{id}
  /\{[a-z_][^{}\d]*\}/i, // {order_id}, {Order Number}; an id in braces has a digit
  /^\{\d\}$/, // C#, Java: {0}
  /%7b|&#123;|&#x7b;|&lt;[%?]/i, // any of these, encoded for a URL or for HTML
  /<(?:[%?#]|!--#).*>|^<!.*>$/s, // ERB, PHP, T4, SSI: <%= id %>, <?= $id ?>, <#= id #>, <!--# echo … -->
  /^(?:<\/?[a-z_][^<>]*>)+$/i, // tags with nothing in them: <order-id>, <span></span>
  /\[\[.*\]\]/s, // Thymeleaf, Polymer: [[ORDER_ID]]
  /\[%.*%\]/s, // Template Toolkit: [% order.id %]
  /^\[[a-z_][\w. :-]*\]$/i, // [order_id], [object Object], Drupal: [order:id]
  /^[$@]\(.*\)$/s, // Volusion, jQuery, Razor: $(OrderID), @(Model.OrderId)
  /^@[a-z_][\w.]*$/i, // Razor: @Model.OrderId
  /^\$+!?[a-z_][\w.]*(?:(?:->|\[).*|\$+)?$/is, // PHP, Velocity: $order_id, $order->id, $order['id'], $!order.id, $ID$
  /^#+[a-z_][\w.]*#+$/i, // ColdFusion: #order.id#, ##ORDER_ID##
  /\*\|.*\|\*/, // Mailchimp: *|ORDER_ID|*
  /^%+[a-z_][\w.-]*%*$|^%%=.*=%%$/i, // %order_id%, %%ORDER%%, AMPscript: %%=v(@id)=%%
  /%(?:\d\$)?[sd]$/, // sprintf: %s, %1$s, order-%d
  /^:[a-z_]\w*$/i, // Routes: :id
  /^__[a-z]\w*__$/i, // __ORDER_ID__
  /^(?:async )?function\b|=>/, // JavaScript's own text of a function that was not called
];

/** True when a text is, or holds, a template that a shop did not render, in any of the languages that shops use. */
export function isTemplate(text: string): boolean {
  return templates.some((template) => template.test(text));
}
