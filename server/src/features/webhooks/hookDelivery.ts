import type { Uuid } from '../../values/ids.js';

/** One event for one hook, and its last attempt. */
export interface HookDelivery {
  /**
   * It begins with the time of the event. For `order.created` it is the order's id, so deliveries to several hooks may
   * have the same.
   */
  id: Uuid;
  hookId: Uuid;
  /** One of `hookEvents`, or `hook.test`. */
  type: string;
  /** The order or subscription that it is about; null if it has no subject, or if that was erased. */
  subjectId: Uuid | null;
  createdAt: Date;
  /** Time of the next attempt; null if no further one follows. */
  nextAt: Date | null;
  /** Number of attempts that were begun. */
  attempts: number;
  attemptedAt: Date | null;
  /** Status of the last answer; null without an answer. */
  status: number | null;
  /** Reason why the last attempt failed; null after a success. */
  error: string | null;
  /** Beginning of the answer's body. */
  answer: string | null;
  tookMs: number | null;
  /** Time of the attempt that succeeded. */
  deliveredAt: Date | null;
  /** Data from which `deliveryContent` makes the content; null if it was erased. */
  data: unknown;
}

/** A delivery that this server has claimed, so that no other attempts it. */
export interface ClaimedDelivery
  extends Pick<HookDelivery, 'id' | 'hookId' | 'type' | 'createdAt' | 'attempts'> {
  /** Time of the first attempt, or of the first one since it was sent again. Null until the outcome of that is written. */
  begunAt: Date | null;
}
