import { createChaosClient } from './chaosClient.js';

/** One answer to a good client. */
export interface GoodAnswer {
  /** 0 if the connection broke. */
  status: number;
  /** Arrival time of the answer, in ms since 1970. */
  atMs: number;
  tookMs: number;
}

/** A client that reports one order at a time, from its own address. */
export interface GoodClient {
  /** Returns the answers since the last call. */
  take(): GoodAnswer[];
  stop(): Promise<void>;
  /** Ids of all acknowledged orders. */
  acknowledged: string[];
}

/** Starts to report orders, with a pause after each answer. */
export function startGoodClient(
  { url, teamId, address, name }: { url: string; teamId: string; address: string; name: string },
  pauseMs: number,
): GoodClient {
  const client = createChaosClient(url);
  const headers = {
    Origin: 'https://shop.example',
    'Content-Type': 'text/plain',
    'X-Forwarded-For': address,
  };
  const acknowledged: string[] = [];
  let answers: GoodAnswer[] = [];
  let isOver = false;

  const running = (async () => {
    for (let n = 0; !isOver; n++) {
      const order = { teamId, email: `${name}@mail.example`, amount: n, orderId: `${name}-${n}` };
      const { status, body, tookMs } = await client.send('', ['POST', '/svc-api/v1/orders'], headers, order);
      if (status === 200) acknowledged.push(body.data.id);
      answers.push({ atMs: performance.timeOrigin + performance.now(), status, tookMs });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();

  return {
    acknowledged,
    take() {
      const taken = answers;
      answers = [];
      return taken;
    },
    async stop() {
      isOver = true;
      await running;
      client.close();
    },
  };
}
