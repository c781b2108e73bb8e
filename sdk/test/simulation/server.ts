import type { Chance } from './random';

/** An answer of the server, or of a proxy before it. */
export interface ServerAnswer {
  status: number;
  body: string;
  retryAfter?: string;
}

/** The fields of a report that the test compares. */
interface KeptOrder {
  teamId: string;
  email: string;
  amount: number;
  name: string;
  items?: unknown;
  visitorId?: string;
  reportId: string;
}

export type ServerMood = 'well' | 'unavailable' | 'limiting' | 'dying' | 'failing' | 'closed to this domain';

/** A server as the SDK sees it. It recognizes an order by its `orderId` or, if it has none, by its `reportId`. */
export interface Server {
  mood: ServerMood;
  /** Refuses reports with long items as too large. */
  isNarrow: boolean;
  readonly stored: KeptOrder[];
  /** Handles a report. Null if the server dies before it answers. */
  receive(body: string): ServerAnswer | null;
}

const refusal = (status: number, code: string, reportId?: string, retryAfter?: string): ServerAnswer => ({
  status,
  body: JSON.stringify({ success: false, error: { code, message: code }, requestId: 'r1', reportId }),
  ...(retryAfter !== undefined && { retryAfter }),
});

const retryAfters = ['1', '2', '30', '3600', '-1', '1e999', '', 'soon', 'Wed, 21 Oct 2099 07:28:00 GMT'];

export function createServer(chance: Chance): Server {
  const orders = new Map<string, KeptOrder>();
  const stored: KeptOrder[] = [];

  const store = (report: KeptOrder & { orderId?: string }): ServerAnswer => {
    const key = `${report.teamId} ${report.orderId === undefined ? report.reportId : `#${report.orderId}`}`;
    const isNew = !orders.has(key);
    if (isNew) {
      orders.set(key, report);
      stored.push(report);
    }
    const data = { orderNumber: 'ORD-1', isNew, reportId: report.reportId };
    return { status: 200, body: JSON.stringify({ success: true, data }) };
  };

  const server: Server = {
    mood: 'well',
    isNarrow: false,
    stored,
    receive(body) {
      const report = JSON.parse(body);
      if (server.mood === 'unavailable')
        return refusal(503, 'unavailable', undefined, chance.oneOf(retryAfters));
      if (server.mood === 'limiting')
        return refusal(429, 'rate_limited', undefined, chance.oneOf(retryAfters));
      if (server.mood === 'failing') return chance.is(0.5) ? refusal(500, 'internal') : null;
      if (server.mood === 'closed to this domain') return refusal(403, 'domain_not_allowed', report.reportId);
      if (server.isNarrow && body.length > 20_000) return refusal(413, 'payload_too_large', report.reportId);
      const answer = store(report);
      return server.mood === 'dying' ? null : answer;
    },
  };
  return server;
}
