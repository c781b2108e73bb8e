import { Agent, request as httpRequest } from 'node:http';

/** One answer to a good client. */
export interface GoodAnswer {
  /** 0 when the connection broke. */
  status: number;
  /** Arrival time of the answer, in ms since 1970. */
  atMs: number;
  tookMs: number;
}

/** A client that reports one order at a time, from its own address. */
export interface GoodClient {
  /** The answers since the last call. */
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
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const acknowledged: string[] = [];
  let answers: GoodAnswer[] = [];
  let isOver = false;

  function report(n: number): Promise<number> {
    const body = JSON.stringify({
      teamId,
      email: `${name}@mail.example`,
      amount: n,
      orderId: `${name}-${n}`,
    });
    const headers = {
      Origin: 'https://shop.example',
      'Content-Type': 'text/plain',
      'Content-Length': body.length,
      'X-Forwarded-For': address,
    };
    return new Promise((resolve) => {
      const request = httpRequest(
        new URL('/svc-api/v1/orders', url),
        { agent, method: 'POST', headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('error', () => resolve(0));
          response.on('end', () => {
            if (response.statusCode === 200) acknowledged.push(JSON.parse(text).data.id);
            resolve(response.statusCode!);
          });
        },
      );
      request.on('error', () => resolve(0));
      request.end(body);
    });
  }

  const running = (async () => {
    for (let n = 0; !isOver; n++) {
      const startedMs = performance.now();
      const status = await report(n);
      const endedMs = performance.now();
      answers.push({ atMs: performance.timeOrigin + endedMs, status, tookMs: endedMs - startedMs });
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
      agent.destroy();
    },
  };
}
