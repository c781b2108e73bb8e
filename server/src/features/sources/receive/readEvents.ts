import { isUtf8 } from 'node:buffer';
import { type JsonBounds, parseLongJson } from '../../../values/json.js';
import { jsonBounds } from '../../../values/limits.js';
import { withoutByteOrderMark } from '../../../values/text.js';
import { providers } from '../providers.js';
import type { SourceKind } from '../source.js';
import type { ReceivedEvent, SourceEvent } from './sourceEvent.js';

/** A shop system's message, and the events that it contains. */
export interface ReadEvents {
  /** The text without characters that PostgreSQL cannot store. */
  text: string;
  /** The JSON value; undefined if the text is not JSON. */
  value: unknown;
  events: SourceEvent[];
}

/**
 * Limits of an event's JSON. An event may be 64 times as long as a report, and repeats its names. An order of Shopify
 * of 4 MiB has some 220,000 values.
 */
export const eventBounds: JsonBounds = {
  values: 64 * jsonBounds.values,
  names: 4 * jsonBounds.names,
  depth: 1_000,
};

/** Orders and refunds of one event at most. Providers wait 5 s or longer for an answer, and each takes some 20 ms. */
export const eventsAtMost = 100;

/** Reads the events in the signed bytes of a message, in several turns of the event loop. */
export async function readEvents(kind: SourceKind, bytes: Buffer, topic: string | null): Promise<ReadEvents> {
  // PostgreSQL stores no NUL, and valid JSON contains none.
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

/**
 * Maps a provider's event to at most 100 events. If it contains more, a `misread` one follows them. An event that cannot be read, or
 * that contains none, becomes one `misread`. Never throws.
 */
export function mapEvents(kind: SourceKind, received: ReceivedEvent): SourceEvent[] {
  const { name, map } = providers[kind];
  try {
    const events = map(received);
    if (events.length > eventsAtMost)
      return [...events.slice(0, eventsAtMost), misread(`holds more than ${eventsAtMost} refunds`)];
    if (events.length > 0) return events;
  } catch {
    // Misread, not rejected: after an answer of 500, the provider would repeat the event for days.
  }
  return [misread(`has not the form of an event of ${name}`)];
}

function misread(why: string): SourceEvent {
  return { kind: 'misread', why };
}
