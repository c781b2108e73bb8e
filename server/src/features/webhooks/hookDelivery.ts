import type { Uuid } from '../../values/ids.js';

/** One event for one hook, and its last attempt. */
export interface HookDelivery {
  /**
   * Id of the delivery, which begins with the time of its event. A delivery of `order.created` has the order's id, so its
   * deliveries to several hooks have the same id.
   */
  id: Uuid;
  hookId: Uuid;
  /** The type of the event: one of `hookEvents`, or `hook.test`. */
  type: string;
  /** The order or subscription that the event is about; null if it has no subject, or if the subject was erased. */
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
  /**
   * Time of the first attempt since the delivery was queued, or queued again by a person. Null until that attempt's outcome is
   * written.
   */
  begunAt: Date | null;
}
