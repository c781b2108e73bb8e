import { createDelivery } from './delivery';
import { newId } from './newId';
import { normaliseOrder, type OrderInput } from './order';
import { createOutbox } from './outbox';
import type { Refusal, TrackResult } from './result';
import { STARTED, type Say } from './steps';
import { openStorage } from './storage';
import { createPost } from './transport';
import { openVisitor } from './visitor';

/** Reports an order. Never throws, and its promise never rejects. */
export interface Track {
  (command: 'order', order: OrderInput): Promise<TrackResult>;
  /** The visitor's decision on the persisted visitor id; false erases it. Orders are reported either way. */
  (command: 'consent', given: boolean): Promise<void>;
}

/** Reports orders of one team. */
export interface Tracker {
  track: Track;
  /** The persisted visitor id, to hand to a backend; undefined where it may not be kept. */
  readonly visitorId: string | undefined;
}

const complain = (what: string) => console.error(`Orderbeacon: ${what}`);

/** Wires the rooms of the SDK together, in a page. The first thing it does is deliver what earlier pages left. */
export function wireTracker(teamId: string, endpoint: string, isVisitorOff: boolean, say: Say): Tracker {
  const url = `${endpoint}/svc-api/v1/orders`;
  const storage = openStorage();
  const visitor = openVisitor(storage, isVisitorOff);
  const refuse = (error: Refusal): TrackResult => {
    complain(`order refused: ${error.message}${error.code === 'domain_not_allowed' ? `. Run: orderbeacon domain add --team ${teamId} ${location.hostname}` : ''}`);
    return { status: 'refused', error };
  };
  const delivery = createDelivery(
    createOutbox(storage, () => complain('old order dropped')),
    createPost(refuse),
    (to, body) => navigator.sendBeacon(to, body),
    navigator.locks,
    say,
  );

  const track = async (command: string, given: unknown): Promise<unknown> => {
    if (command === 'consent') return visitor.consent(given);
    const id = newId();
    try {
      const body = JSON.stringify({ ...normaliseOrder(given), teamId, visitorId: visitor.id(), reportId: id });
      return await delivery.send({ id, url, body, tries: 0, at: 0, flying: false });
    } catch (error) {
      return refuse({ code: 'invalid_request', message: (error as Error).message });
    }
  };

  addEventListener('online', () => delivery.flush(true));
  addEventListener('pagehide', delivery.hide);
  document.addEventListener('visibilitychange', () => (document.hidden ? delivery.hide() : delivery.flush()));
  say(STARTED, teamId, url, visitor.id());
  delivery.flush(true);

  return {
    track: track as Track,
    get visitorId() {
      return visitor.id();
    },
  };
}
