import { isName } from './isName.js';
import { isOrderId } from './isOrderId.js';

/** Fields of a page's report that tell orders, visitors and buyers apart, with their meaning. */
export const meant = {
  orderId: 'the id of one order',
  reportId: 'the id of one report',
  visitorId: 'the id of one visitor',
  name: "a buyer's name",
};

/** Lists the fields of a page's report that hold a template, or a word for no value. */
export function listNone({
  orderId,
  reportId,
  visitorId,
  name,
}: { [Field in keyof typeof meant]?: unknown }) {
  const none: (keyof typeof meant)[] = [];
  const isNone = (id: unknown) => typeof id === 'string' && !isOrderId(id);
  if (typeof orderId === 'boolean' || isNone(orderId)) none.push('orderId');
  // Beside an orderId it does not count, and looking at each one would take 2 us of an order.
  if (((orderId ?? null) === null || none.length > 0 || reportId === '') && isNone(reportId))
    none.push('reportId');
  if (isNone(visitorId)) none.push('visitorId');
  if (typeof name === 'string' && !isName(name)) none.push('name');
  return none;
}
