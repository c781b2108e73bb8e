import { Agent, request } from 'node:http';

/** An answer. Status 0 if no answer came. */
export interface ChaosAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
  body: any;
  tookMs: number;
  hasRetryAfter: boolean;
}

/** Counts of the answers to the clients. */
export interface AnswerCounts {
  /** Answers by `<route> <status>`. */
  byStatus: Record<string, number>;
  /** Answers that break a promise, and broken connections. */
  wrong: string[];
  longestMs: Record<string, number>;
}

const allowed = new Set([200, 503]);

/** Creates a client that counts all answers, and repeats each request until it is acknowledged. */
export function createChaosClient(url: string) {
  const agent = new Agent({ keepAlive: true });
  const counts: AnswerCounts = { byStatus: {}, wrong: [], longestMs: {} };

  function send(
    route: string,
    [method, path]: [string, string],
    headers: Record<string, string>,
    body?: object,
  ): Promise<ChaosAnswer> {
    const startedMs = performance.now();
    return new Promise((resolve) => {
      const finish = (status: number, text: string, hasRetryAfter: boolean) => {
        const tookMs = performance.now() - startedMs;
        counts.byStatus[`${route} ${status}`] = (counts.byStatus[`${route} ${status}`] ?? 0) + 1;
        counts.longestMs[route] = Math.max(counts.longestMs[route] ?? 0, tookMs);
        if (!allowed.has(status) || (status === 503 && !hasRetryAfter)) {
          counts.wrong.push(`${route} ${status} ${text.slice(0, 300)}`);
        }
        resolve({ status, body: status === 0 ? null : JSON.parse(text), tookMs, hasRetryAfter });
      };
      const sent = request(new URL(path, url), { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', (error) => finish(0, error.message, false));
        response.on('end', () =>
          finish(response.statusCode!, text, response.headers['retry-after'] !== undefined),
        );
      });
      sent.on('error', (error) => finish(0, error.message, false));
      sent.end(body && JSON.stringify(body));
    });
  }

  return {
    counts,
    send,
    /** Sends again, a moment after each refusal, until the answer is 200. Ends if an answer breaks a promise. */
    async sendUntilAcknowledged(...args: Parameters<typeof send>): Promise<ChaosAnswer> {
      for (;;) {
        const answer = await send(...args);
        if (answer.status !== 503) return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close: () => agent.destroy(),
  };
}
