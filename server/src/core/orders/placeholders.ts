import { limits } from '../../values/limits.js';

/** Fields of a page's report that distinguish orders, visitors and buyers, with their meaning. */
const meant = {
  orderId: 'the id of one order',
  reportId: 'the id of one report',
  visitorId: 'the id of one visitor',
  name: "a buyer's name",
} as const;

/** Names of these fields. */
export const placeholderFields = Object.keys(meant) as (keyof typeof meant)[];

/** A template that a shop did not render: `{{ order.id }}`, `ORD-${id}`, `<%= id %>`, `[order_id]`. An id in brackets has a digit. */
const template = /\{\{|[{<]%|\{\D*\}|^[[<]\D*[\]>]$/;
/** What JavaScript prints for no value. `Null` and `None` are names of people. */
const noValue: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN']);

/** True when a page's text can be the id of one order. By a template, or a word for no value, all orders of a shop would be one. */
export function isOrderId(text: string): boolean {
  // The schema refuses longer ones.
  if (text.length > limits.id) return true;
  const id = text.trim();
  return /[\p{L}\p{N}]/u.test(id) && id !== '0' && !noValue.has(id) && !template.test(id);
}

/** True when a page's text can be a buyer's name. */
export function isName(text: string): boolean {
  // A longer one is cut.
  if (text.length > limits.text) return true;
  const name = text.trim();
  return !name.split(/\s+/).every((word) => noValue.has(word)) && !template.test(name);
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
