import type { ConsolePart } from '../../../console/part.js';
import { counted } from '../../../console/parts/format.js';
import { listHooks } from '../sql/hook.js';
import { readDeliverySteps } from './deliverySteps.js';
import { countOff, HooksMark } from './hooksMark.js';
import { webhookRoutes } from './webhookRoutes.js';

/** Webhooks and what was sent to them. */
export const webhooksPart: ConsolePart = {
  at: 40,
  place: {
    path: '/webhooks',
    title: 'Webhooks',
    icon: 'M13 3 5 13.5h6L10 21l9-11h-6.5z',
    mark: async (c) => <HooksMark hooks={await c.var.queryOnce(listHooks)} />,
  },
  routes: (app) => app.route('/webhooks', webhookRoutes()),
  async trouble({ var: { link, queryOnce, viewer } }) {
    const off = countOff(await queryOnce(listHooks));
    if (off === 0) return null;
    return {
      tone: 'warn',
      title: `${counted(off, 'webhook', viewer)} ${off === 1 ? 'is' : 'are'} off.`,
      href: link('/webhooks'),
      button: 'See them',
    };
  },
  ofOrder: (c, order) => readDeliverySteps(c, order.id),
  bookmarks: ['/webhooks'],
};
