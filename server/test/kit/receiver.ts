import type { ServerResponse } from 'node:http';
import { startHttp } from './http.js';

/** A request that a receiver got. */
export interface HookCall {
  atMs: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every type
  json: any;
}

/** Answers a request. `number` counts from 0. If it does nothing, the request hangs. */
export type AnswerHook = (response: ServerResponse, received: HookCall, number: number) => void;

const succeed: AnswerHook = (response) => void response.end();

/** Starts a server that webhooks call, for one test. */
export async function startReceiver(answer: AnswerHook = succeed) {
  const received: HookCall[] = [];
  const { url } = await startHttp(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const headers = request.headers as Record<string, string>;
    const number = received.length;
    received.push({ atMs: performance.now(), path: request.url!, headers, body, json: JSON.parse(body) });
    answer(response, received[number]!, number);
  });
  return { url: `${url}/hook`, received };
}
