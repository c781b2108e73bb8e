import type { Handler } from 'hono';
import type { AppEnv } from '../http/context.js';

/**
 * `GET /healthz/proxies`: how many addresses stand in the `X-Forwarded-For` of this very request, and how many of them
 * `ORDERBEACON_TRUST_PROXY` believes. `orderbeacon doctor` compares the two; it says nothing of anybody else.
 */
export function getProxies(trusted: number): Handler<AppEnv> {
  return (c) => {
    const addresses = (c.req.header('x-forwarded-for') ?? '').split(',').filter((address) => address.trim());
    return c.json({ success: true, data: { seen: addresses.length, trusted } });
  };
}
