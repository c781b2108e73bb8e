import { type Hook, type HookEvent, hookEvents, slackEvents } from './hook.js';
import { parseHookUrl } from './hookUrl.js';

/** A hook that is not stored yet. */
export type NewHook = Omit<Hook, 'id' | 'secret'>;

/** A hook as its owner entered it. */
export interface EnteredHook extends Omit<NewHook, 'events'> {
  /** Names of events; null for all that the format can tell of. */
  events: readonly string[] | null;
}

/** Checks a hook as its owner entered it. Returns a hint for one that cannot be added. */
export function parseNewHook({ events, ...entered }: EnteredHook): NewHook | { hint: string } {
  const parsed = parseHookUrl(entered.url, entered);
  if ('hint' in parsed) return parsed;
  const told: readonly HookEvent[] = entered.format === 'slack' ? slackEvents : hookEvents;
  const other = events?.find((name) => !told.some((event) => event === name));
  if (other !== undefined)
    return { hint: `there is no event "${other}" for it; it can be told of ${told.join(', ')}` };
  const chosen = told.filter((event) => events === null || events.includes(event));
  if (chosen.length === 0) return { hint: `choose at least one of ${told.join(', ')}` };
  return { ...entered, url: parsed.url, events: chosen };
}
