import { createDelivery } from './delivery';
import { newId } from './newId';
import { normaliseOrder, type OrderInput } from './order';
import { createOutbox, outboxPrefix } from './outbox';
import type { Refusal, TrackResult } from './result';
import { openStorage } from './storage';
import { createPost } from './transport';
import { openVisitor, type Visitor } from './visitor';

/** Reports an order. Never throws, and its promises never reject. */
export interface Track {
  (command: 'order', order: OrderInput): Promise<TrackResult>;
  /** The visitor's decision on the persisted visitor id; false erases it. Orders are reported either way. */
  (command: 'consent', given: boolean): Promise<unknown>;
}

const complain = (what: string) => console.error(`orderbeacon: order ${what}`);

/**
 * Wires the rooms of the SDK together, in a page.
 * @param endpoint the server, with or without slashes at its end
 * @param isVisitorOff keeps no visitor id without consent
 */
export function wireTracker(
  teamId: string | null,
  endpoint: string,
  isVisitorOff: boolean,
): Track & { visitorId: Visitor } {
  const url = endpoint.replace(/\/*$/, '/svc-api/v1/orders');
  const storage = openStorage();
  const visitorId = openVisitor(storage, isVisitorOff);

  const refuse = (error: Refusal): TrackResult => {
    let advice = '';
    if (error.code === 'domain_not_allowed') {
      advice =
        origin === 'null'
          ? ': sandboxed frame'
          : `. Run orderbeacon domain add --team ${teamId} ${location.hostname}`;
    }
    complain(`refused: ${error.message}${advice}`);
    return { status: 'refused', error };
  };

  const deliver = createDelivery(
    createOutbox(storage, () => complain('given up')),
    createPost(refuse),
    navigator,
  );

  const track = async (command: string, given: unknown) => {
    if (command === 'consent') return visitorId(given as boolean);
    try {
      if (command !== 'order' || !teamId) throw Error(teamId ? 'bad call' : 'no data-team-id');
      const key = outboxPrefix + newId();
      const order = normaliseOrder(given as Record<string, unknown>);
      const body = JSON.stringify({ ...order, teamId, visitorId: visitorId(), reportId: key });
      return await deliver({ key, url, body, tries: 0 });
    } catch (error) {
      return refuse({ code: 'invalid_request', message: (error as Error).message });
    }
  };

  // From the first page on, so that the order can be put down to the visit that led to it.
  visitorId();
  track.visitorId = visitorId;
  return track as Track & { visitorId: Visitor };
}
