import type { ConsolePart } from '../part.js';
import { orderRoutes } from './orderRoutes.js';

/** The orders of a team. */
export const ordersPart: ConsolePart = {
  at: 10,
  place: { path: '/orders', title: 'Orders', icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6' },
  routes: (app, deps) => app.route('/', orderRoutes(deps)),
  bookmarks: ['/orders', '/orders.csv'],
};
