import { readReport } from '../../src/core/orders/readReport.js';
import { bodyOf } from '../../src/features/sources/eventReport.js';
import { readEvents } from '../../src/features/sources/readEvents.js';
import type { SourceKind } from '../../src/features/sources/source.js';
import type { SourceEvent } from '../../src/features/sources/sourceEvent.js';
import { newUuid } from '../../src/values/ids.js';

/** An event as a provider sends it: its topic, null with Stripe, and a payload, or a body that is no JSON. */
export type SentEvent = [topic: string | null, payload: unknown];

/**
 * Results of an event: orders and refunds, nothing, the event itself for a person to see, or a refusal that the shop system
 * counts.
 */
export type StoredEvents = SourceEvent[] | 'nothing' | 'kept' | 'refused';

/** An example of what a provider sends, and what is stored of it. */
export interface EventExample {
  /** In the words of the guide. */
  event: string;
  sent: SentEvent;
  stored: StoredEvents;
}

/** Examples of which the same is stored. */
export function alike(stored: StoredEvents, sent: Record<string, SentEvent>): EventExample[] {
  return Object.entries(sent).map(([event, one]) => ({ event, sent: one, stored }));
}

/** Reads what a source stores of an event, without the list of an order's refunds. An order that lacks something is kept. */
export async function storedOf(kind: SourceKind, [topic, payload]: SentEvent): Promise<StoredEvents> {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  const bytes = Buffer.from(isText ? payload : JSON.stringify(payload));
  const source = { kind, teamId: newUuid(), orderIdPrefix: '' };
  const stored: SourceEvent[] = [];
  for (const event of (await readEvents(kind, bytes, topic)).events) {
    if (event.kind === 'ignored' || event.kind === 'ping' || event.kind === 'refundList') continue;
    if (event.kind === 'error') return 'refused';
    if (event.kind === 'misread') return 'kept';
    if (event.kind === 'order' && readReport(bodyOf(source, event), true).issues) return 'kept';
    stored.push(event);
  }
  return stored.length > 0 ? stored : 'nothing';
}
