import type { Handler } from 'hono';
import type { AppEnv } from '../http/context.js';

/**
 * `GET /healthz/proxies`: answers with the number of addresses in the `X-Forwarded-For` of this request, and with the
 * number that `ORDERBEACON_TRUST_PROXY` believes. `orderbeacon doctor` compares the two.
 */
export function getProxies(trusted: number): Handler<AppEnv> {
  return (c) => {
    const addresses = (c.req.header('x-forwarded-for') ?? '').split(',').filter((address) => address.trim());
    return c.json({ success: true, data: { seen: addresses.length, trusted } });
  };
}
