import type { Exchange } from '../http/exchange.js';
import { readJson } from '../http/readJson.js';
import { limits } from '../values/limits.js';

/**
 * Reads the body of an order report, and remembers it in the context as it was sent, in case that it is refused.
 * @throws ApiError as `readJson` does
 */
export async function readReportBody(c: Exchange): Promise<unknown> {
  let text = '';
  const body = await readJson(c, ['application/json', 'text/plain'], limits.bodyBytes, {
    onText: (sent) => {
      text = sent;
    },
    onTooLong: (part) => c.set('sent', { part }),
  });
  c.set('sent', { text, body });
  c.set('claimedTeam', (body as { teamId?: unknown } | null)?.teamId);
  return body;
}
