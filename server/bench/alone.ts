import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { orderSchema } from '../src/core/orders/receive/reportSchema.js';

/**
 * Serves the baseline of the ratios: Hono alone, without a database, log or rate limit. It checks an order with the same zod
 * schema and echoes it, and serves a product's bytes from memory.
 */
const product = process.env.PRODUCT_BODY ?? '';
const app = new Hono();
app.post('/order', async (c) => {
  const parsed = orderSchema.safeParse(await c.req.json());
  if (!parsed.success) return c.json({ success: false }, 400);
  return c.json({ success: true, data: parsed.data });
});
app.get('/product', (c) => c.body(product, 200, { 'Content-Type': 'application/json' }));

const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${(server.address() as { port: number }).port}\n`);
});
