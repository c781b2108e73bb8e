import type { Exchange } from '../http/exchange.js';
import { readJson } from '../http/readJson.js';

const types = ['application/json', 'text/plain'];

/**
 * Reads the body of an order report, at most 64 KiB, and puts it into the exchange as it was sent, so that a refused
 * report can be kept.
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readReportBody(exchange: Exchange): Promise<unknown> {
  const sent = await readJson(exchange.incoming, types, (part) => {
    exchange.sent = { part };
  });
  exchange.sent = sent;
  return sent.value;
}
