import type { Context } from 'hono';
import type { AppEnv } from './context.js';

const json = 'application/json';

/**
 * Answers with a JSON text, bytes or nothing, and with the headers that were collected on the way. Headers
 * travel as a plain record: the `Headers` of each answer stood out in the profile of a report.
 */
export function reply(
  c: Context<AppEnv>,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  contentType: string | null = body === null ? null : json,
): Response {
  const headers = c.get('headers');
  if (contentType !== null) headers['Content-Type'] = contentType;
  return new Response(body, { status, headers });
}

/** The contract's envelope around the data of a 200, as JSON. */
export function success(data: object): string {
  return JSON.stringify({ success: true, data });
}

/** Answers 200 with that envelope. */
export function replyData(c: Context<AppEnv>, data: object): Response {
  return reply(c, 200, success(data));
}
