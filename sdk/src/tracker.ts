import { createDelivery } from './delivery';
import { newId } from './newId';
import { normaliseOrder, type OrderInput } from './order';
import { createOutbox, outboxPrefix } from './outbox';
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
  /** The persisted visitor id, to hand to a backend; undefined where it may not be kept. */
  visitorId(): string | undefined;
}

const complain = (what: string) => console.error(`Orderbeacon: ${what}`);

/** Wires the rooms of the SDK together, in a page. The first thing it does is deliver what earlier pages left. */
export function wireTracker(teamId: string, endpoint: string, isVisitorOff: boolean, say: Say): Track {
  const url = `${endpoint}/svc-api/v1/orders`;
  const storage = openStorage();
  const visitor = openVisitor(storage, isVisitorOff);
  const refuse = (error: Refusal): TrackResult => {
    complain(
      `order refused: ${error.message}${
        error.code === 'domain_not_allowed'
          ? origin === 'null'
            ? ' (sandboxed frame: report from your server)'
            : `. Run: orderbeacon domain add --team ${teamId} ${location.hostname}`
          : ''
      }`,
    );
    return { status: 'refused', error };
  };
  const deliver = createDelivery(
    createOutbox(storage, () => complain('old order dropped')),
    createPost(refuse),
    navigator,
    say,
  );

  const track = async (command: string, given: unknown): Promise<unknown> => {
    if (command === 'consent') return void visitor(!!given);
    try {
      const key = outboxPrefix + newId();
      const order = { ...normaliseOrder(given as Record<string, unknown>), teamId, visitorId: visitor(), reportId: key };
      return await deliver({ key, url, body: JSON.stringify(order), tries: 0 });
    } catch (error) {
      return refuse({ code: 'invalid_request', message: (error as Error).message });
    }
  };
  say(STARTED, teamId, url, visitor());
  track.visitorId = () => visitor();
  return track as Track;
}
