import { sendTo } from './server.js';

/** Results of the reports of some writers so far. */
export interface Writers {
  /** The orderIds whose reports were answered with 200. */
  acknowledged: string[];
  /** The number of answers by status. */
  statuses: Map<number, number>;
  stop(): Promise<void>;
}

/** Reports orders without a pause until `stop` is called, and collects the acknowledged orderIds. */
export function startWriters(url: string, teams: string[], count: number): Writers {
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  let isStopped = false;
  const writers = Array.from({ length: count }, async (_, writer) => {
    for (let n = 0; !isStopped; n++) {
      const orderId = `${teams[0]!.slice(-6)}-${writer}-${n}`;
      const body = JSON.stringify({
        teamId: teams[n % teams.length],
        email: `ann-${writer}-${n}@buyer.example`,
        amount: 1,
        orderId,
      });
      const { status } = await sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
        headers: { 'content-type': 'application/json', origin: 'https://shop.example' },
        body,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) acknowledged.push(orderId);
    }
  });
  return {
    acknowledged,
    statuses,
    async stop() {
      isStopped = true;
      await Promise.all(writers);
    },
  };
}
