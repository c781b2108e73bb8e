import type { Fragment, Sql } from '../../database/connection/connect.js';

/** The landing that an order is counted for. Without a later campaign the last one is the first. */
export const touchChoices = ['first', 'last'] as const;

/** One of `touchChoices`. */
export type TouchChoice = (typeof touchChoices)[number];

/** The parts of a landing by which orders can be grouped. */
export const originParts = ['source', 'medium', 'campaign'] as const;

/** One of `originParts`. */
export type OriginPart = (typeof originParts)[number];

/**
 * Where orders came from: `direct` by a landing that names nothing, `unknown` without a landing, or by a landing with some
 * source, medium or campaign, of which the part `by` is `name`, in lower case; empty where it has none.
 */
export type Origin =
  | { touch: TouchChoice; kind: 'direct' }
  | { touch: TouchChoice; kind: 'unknown' }
  | { touch: TouchChoice; kind: 'named'; by: OriginPart; name: string };

/** A text is cut to this length, because it is part of an index's key. */
export const originCharacters = 100;

/** The landing of an order `o` that it counts for, as an expression. */
const landingOf = (sql: Sql, touch: TouchChoice) =>
  touch === 'first' ? sql`o.first_touch` : sql`coalesce(o.last_touch, o.first_touch)`;

/** A part of a landing as it is grouped, as an expression. A source is the campaign's, else the referrer's host. */
export function partOf(sql: Sql, landing: Fragment, part: OriginPart): Fragment {
  const text =
    part === 'source'
      ? sql`coalesce(${landing} ->> 'source', ${landing} ->> 'referrer')`
      : sql`${landing} ->> ${part}::text`;
  return sql`coalesce(left(lower(${text}), ${originCharacters}::int), '')`;
}

/** The condition that an order `o` came from there. It reads the landings of each order that is looked at. */
export function isFrom(sql: Sql, origin: Origin): Fragment {
  const landing = landingOf(sql, origin.touch);
  if (origin.kind === 'unknown') return sql`${landing} is null`;
  const part = (of: OriginPart) => partOf(sql, landing, of);
  const says = sql`${part('source')} || ${part('medium')} || ${part('campaign')}`;
  if (origin.kind === 'direct') return sql`(${landing} is not null and ${says} = '')`;
  return sql`(${landing} is not null and ${part(origin.by)} = ${origin.name} and ${says} <> '')`;
}
