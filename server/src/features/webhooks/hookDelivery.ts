import type { Uuid } from '../../values/ids.js';

/** One event for a hook, with its last attempt. */
export interface HookDelivery {
  /** Begins with the time of the event. That of `order.created` is its order's, so several hooks may have it. */
  id: Uuid;
  hookId: Uuid;
  /** One of `hookEvents`, or `hook.test`. */
  type: string;
  /** The order or subscription that it is about; null for none, or where that was erased. */
  subjectId: Uuid | null;
  createdAt: Date;
  /** Time of the next attempt; null when there is none. */
  nextAt: Date | null;
  /** Attempts that were begun. */
  attempts: number;
  attemptedAt: Date | null;
  /** Status of the answer; null without one. */
  status: number | null;
  /** Reason why the last attempt failed; null after a success. */
  error: string | null;
  /** Beginning of the answer's body. */
  answer: string | null;
  tookMs: number | null;
  /** Time of the attempt that succeeded. */
  deliveredAt: Date | null;
  /** What it sends, for `deliveryContent`; null where it was erased. */
  data: unknown;
}

/** A delivery that no other server attempts now. */
export interface ClaimedDelivery
  extends Pick<HookDelivery, 'id' | 'hookId' | 'type' | 'createdAt' | 'attempts'> {
  /** Time of the first attempt, or of the first one since it was sent again. Null before its outcome is known. */
  begunAt: Date | null;
}
