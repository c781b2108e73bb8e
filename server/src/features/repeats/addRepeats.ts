import type { ConsoleHost } from '../../console/consoleHost.js';
import { counted } from '../../console/parts/format.js';
import { encodeId } from '../../values/ids.js';
import { findConstantOrder, findRepeat, suspiciousBrowsers } from './sql/orderRepeat.js';

const cause =
  'A page that reports the same order for every buyer counts one of them. Have the shop fill in each order’s own id.';

/** Shows orders in the console that several browsers have reported. */
export function addRepeats(console: ConsoleHost): void {
  console.trouble(35, async ({ var: { query, link, viewer, isTest } }) => {
    const order = await query(findConstantOrder, isTest);
    if (!order) return null;
    return {
      tone: 'warn',
      title: `${counted(order.browsers, 'browser', viewer)} have reported order ${order.orderId ?? order.orderNumber}.`,
      about: cause,
      href: link(`/orders/${encodeId('ord', order.id)}`),
      button: 'Open it',
    };
  });
  console.timeline(async ({ var: { query, viewer } }, { id }) => {
    const repeat = await query(findRepeat, id);
    // A single one is the buyer's own, if a shop or a backend has reported the order first.
    if (!repeat || repeat.browsers < 2) return [];
    const isSuspicious = repeat.browsers >= suspiciousBrowsers;
    return [
      {
        at: repeat.lastAt,
        ...(isSuspicious && { tone: 'bad' as const }),
        title: `Reported by ${counted(repeat.browsers, 'browser', viewer)}`,
        content: isSuspicious ? cause : 'Such as those of the buyer’s phone and computer. It counts once.',
      },
    ];
  });
}
