import { request } from 'node:http';
import type { GoodAnswer } from './goodClient.js';

/** Repeated requests of one URL. */
export interface Probe {
  /** Returns the answers since the last call. */
  take(): GoodAnswer[];
  stop(): void;
}

/** Requests a URL again and again, each time on a new connection. */
export function startProbe(url: URL, everyMs: number, headers: Record<string, string> = {}): Probe {
  let answers: GoodAnswer[] = [];
  const timer = setInterval(() => {
    const startedMs = performance.now();
    const end = (status: number) =>
      answers.push({ status, atMs: startedMs, tookMs: performance.now() - startedMs });
    request(url, { agent: false, headers }, (answer) =>
      answer.resume().on('end', () => end(answer.statusCode!)),
    )
      .on('error', () => end(0))
      .end();
  }, everyMs);
  return {
    take() {
      const taken = answers;
      answers = [];
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
