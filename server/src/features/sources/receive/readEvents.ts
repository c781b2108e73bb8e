import { isUtf8 } from 'node:buffer';
import { type JsonBounds, parseLongJson } from '../../../values/json.js';
import { jsonBounds } from '../../../values/limits.js';
import { withoutByteOrderMark } from '../../../values/text.js';
import { providers } from '../providers.js';
import type { SourceKind } from '../source.js';
import type { ReceivedEvent, SourceEvent } from './sourceEvent.js';

/** A shop system's message, and the facts in it. */
export interface ReadEvents {
  /** The text, in which PostgreSQL can store every character. */
  text: string;
  /** The JSON value; undefined for a text that is no JSON. */
  value: unknown;
  events: SourceEvent[];
}

/**
 * Bounds of the JSON: an event may be 64 times as long as a report, and has the same names again and again. An order of
 * Shopify of 4 MiB has some 220,000 values.
 */
export const eventBounds: JsonBounds = {
  values: 64 * jsonBounds.values,
  names: 4 * jsonBounds.names,
  depth: 1_000,
};

/** Orders and refunds of one event. Providers wait for an answer for 5 s and longer, and each takes some 20 ms. */
export const eventsAtMost = 100;

/** Reads the facts in the signed bytes of an event, in several turns of the event loop. */
export async function readEvents(kind: SourceKind, bytes: Buffer, topic: string | null): Promise<ReadEvents> {
  // PostgreSQL takes no NUL, and JSON has none.
  const text = withoutByteOrderMark(bytes.toString()).replaceAll('\0', '');
  let value: unknown;
  try {
    value = await parseLongJson(text, eventBounds);
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'has too many values or levels'
        : /^\s*</.test(text)
          ? 'is XML; choose the format JSON for the webhook'
          : 'is not valid JSON';
    return { text, value, events: [misread(why)] };
  }
  if (!isUtf8(bytes)) return { text, value, events: [misread('is not valid UTF-8')] };
  return { text, value, events: mapEvents(kind, { payload: value, topic }) };
}

/** Reads the facts in an event of a provider, at most 100. */
export function mapEvents(kind: SourceKind, received: ReceivedEvent): SourceEvent[] {
  const { name, map } = providers[kind];
  try {
    const events = map(received);
    if (events.length > eventsAtMost)
      return [...events.slice(0, eventsAtMost), misread(`holds more than ${eventsAtMost} refunds`)];
    if (events.length > 0) return events;
  } catch {
    // Answered with 500, the provider would send the same again for days.
  }
  return [misread(`has not the form of an event of ${name}`)];
}

function misread(why: string): SourceEvent {
  return { kind: 'misread', why };
}
