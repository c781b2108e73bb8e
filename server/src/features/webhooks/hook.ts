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

/** Events that a hook of Slack can get, as one line of text. */
export const slackEvents = ['orders.stopped', 'refused.began'] as const satisfies HookEvent[];

/** Most hooks of one team. Each event stores a row for each hook that gets it. */
export const hooksAtMost = 20;

/** An address that gets a team's events. */
export interface Hook {
  id: Uuid;
  url: string;
  events: HookEvent[];
  /** Set if it only gets test orders. Otherwise it only gets live ones. */
  isTest: boolean;
  /** `slack` sends bodies of the form `{ "text": … }`. */
  format: 'standard' | 'slack';
  /** The secret that signs requests, `whsec_…`. */
  secret: string;
  /** Set if its address may be private. */
  allowsPrivate: boolean;
}

/** A hook that has due deliveries. */
export interface DueHook extends Hook {
  teamId: Uuid;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. */
  failingSince: Date | null;
}

/** A hook that is not stored yet. */
export type NewHook = Omit<Hook, 'id' | 'secret'>;

/** A hook as its owner entered it. */
export interface EnteredHook extends Omit<NewHook, 'events'> {
  /** Names of events; null for all events of the format. */
  events: readonly string[] | null;
}

/** Checks a hook that a person has entered. Returns a hint if it cannot be added. */
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
