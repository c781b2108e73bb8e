import type { Uuid } from '../../values/ids.js';
import { parseHookUrl } from './hookUrl.js';

/** Events that hooks can get. */
export const hookEvents = [
  'order.created',
  'order.changed',
  'order.merged',
  'order.refunded',
  'enrollment.created',
  'orders.stopped',
  'refused.began',
] as const;

/** One of `hookEvents`. */
export type HookEvent = (typeof hookEvents)[number];

/** Events that a hook of Slack can get, as a line of text. */
export const slackEvents = ['orders.stopped', 'refused.began'] as const satisfies HookEvent[];

/** Hooks of one team. Each of them gets a row for each of its events. */
export const hooksAtMost = 20;

/** An address that gets a team's events. */
export interface Hook {
  id: Uuid;
  url: string;
  events: HookEvent[];
  /** True when it gets test orders only, false when live ones only. */
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

/** A hook that is not stored yet. */
export type NewHook = Omit<Hook, 'id' | 'secret'>;

/** A hook as its owner entered it. */
export interface EnteredHook extends Omit<NewHook, 'events'> {
  /** Names of events; null for all of the format. */
  events: readonly string[] | null;
}

/** Checks a hook as its owner entered it. Returns a hint for one that cannot be added. */
export function parseNewHook({ events, ...entered }: EnteredHook): NewHook | { hint: string } {
  const parsed = parseHookUrl(entered.url, entered);
  if ('hint' in parsed) return parsed;
  const possible: readonly HookEvent[] = entered.format === 'slack' ? slackEvents : hookEvents;
  const other = events?.find((name) => !possible.some((event) => event === name));
  if (other !== undefined)
    return { hint: `there is no event "${other}" for it; it can get ${possible.join(', ')}` };
  const chosen = possible.filter((event) => events === null || events.includes(event));
  if (chosen.length === 0) return { hint: `choose at least one of ${possible.join(', ')}` };
  return { ...entered, url: parsed.url, events: chosen };
}
