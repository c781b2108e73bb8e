import { isUtf8 } from 'node:buffer';
import { parseJson } from '../values/json.js';
import { jsonBounds } from '../values/limits.js';
import { providers } from './providers.js';
import type { SourceKind } from './source.js';
import type { SourceEvent } from './sourceEvent.js';

/** An event that tells nothing that is known, to be kept for a person. */
export interface UnreadableEvent {
  kind: 'unreadable';
  text: string;
  payload: unknown;
  why: string;
}

/** Bounds of an event's JSON: an event may be 16 times as long as a report, and has the same names again and again. */
const eventBounds = { values: 16 * jsonBounds.values, names: 4 * jsonBounds.names };

/** Orders and refunds of one event. Providers wait for an answer for 5 s and longer, and each takes some 20 ms. */
export const eventsAtMost = 100;

/** Reads what the signed bytes of an event tell. */
export function readEvents(
  kind: SourceKind,
  bytes: Buffer,
  topic: string | null,
): (SourceEvent | UnreadableEvent)[] {
  const { name, map } = providers[kind];
  // PostgreSQL takes no NUL, and JSON has none.
  const text = bytes.toString().replaceAll('\0', '');
  const unreadable = (why: string, payload?: unknown): UnreadableEvent[] => [
    { kind: 'unreadable', text, payload, why },
  ];
  let payload: unknown;
  try {
    payload = parseJson(text, eventBounds);
  } catch (error) {
    return unreadable(error instanceof RangeError ? 'has too many values' : 'is not valid JSON');
  }
  if (!isUtf8(bytes)) return unreadable('is not valid UTF-8', payload);
  try {
    const events = map({ payload, topic });
    if (events.length > eventsAtMost)
      return [
        ...events.slice(0, eventsAtMost),
        ...unreadable(`holds more than ${eventsAtMost} refunds`, payload),
      ];
    if (events.length > 0) return events;
  } catch {
    // Answered with 500, the provider would send the same again for days.
  }
  return unreadable(`has not the form of an event of ${name}`, payload);
}
