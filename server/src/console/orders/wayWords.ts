import type { Touch } from '@orderbeacon/sdk/contract';
import { dayOf } from '../parts/calendar.js';
import type { Viewer } from '../parts/viewer.js';

/** An order's landings and time. */
interface Way {
  firstTouch: Touch | null;
  lastTouch: Touch | null;
  createdAt: Date;
}

/**
 * Describes how a buyer came to an order: `newsletter, spring, 12 days before; back by google cpc, same day`. Null if no
 * landing is known.
 */
export function describeWay(
  { firstTouch, lastTouch, createdAt }: Way,
  { zone }: Pick<Viewer, 'zone'>,
): string | null {
  const landings = [firstTouch, lastTouch].map((touch) => touch && describeLanding(touch, createdAt, zone));
  if (landings[0] && landings[1]) return `${landings[0]}; back by ${landings[1]}`;
  return landings[0] ?? landings[1] ?? null;
}

function describeLanding(
  { at, referrer, source, medium, campaign }: Touch,
  createdAt: Date,
  zone: string,
): string {
  const origin = [source ?? referrer, medium].filter(Boolean).join(' ');
  const from = [origin, campaign].filter(Boolean).join(', ') || 'direct';
  return [from, at && describeDays(new Date(at), createdAt, zone)].filter(Boolean).join(', ');
}

/** Describes the number of midnights between two times. */
function describeDays(from: Date, to: Date, zone: string): string {
  const days = dayOf(to, zone) - dayOf(from, zone);
  if (days <= 0) return 'same day';
  return days === 1 ? '1 day before' : `${days} days before`;
}
