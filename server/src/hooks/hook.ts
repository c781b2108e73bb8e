import type { Uuid } from '../values/ids.js';

/** Events that hooks are told of. */
export const hookEvents = [
  'order.created',
  'order.changed',
  'order.refunded',
  'enrollment.created',
  'orders.stopped',
  'refused.began',
] as const;

/** One of `hookEvents`. */
export type HookEvent = (typeof hookEvents)[number];

/** Events that a hook of Slack is told of, as a line of text. */
export const slackEvents = ['orders.stopped', 'refused.began'] as const satisfies HookEvent[];

/** Hooks of one team. Each of them gets a row for each of its events. */
export const hooksAtMost = 20;

/** An address that is told of a team's events. */
export interface Hook {
  id: Uuid;
  url: string;
  events: HookEvent[];
  /** True when it is told of test orders only, false when of live ones only. */
  isTest: boolean;
  /** `slack` for bodies of the form `{ "text": … }`. */
  format: 'standard' | 'slack';
  /** Secret of signatures, `whsec_…`. */
  secret: string;
  /** True where private addresses may be called. */
  allowsPrivate: boolean;
}

/** A hook with deliveries that are due. */
export interface DueHook extends Hook {
  teamId: Uuid;
  /** Time of the first failed attempt since the last one that succeeded; null after a success. */
  failingSince: Date | null;
}
