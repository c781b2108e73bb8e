import type { Fragment, Sql } from '../../database/connection/connect.js';

/** The landings for which an order can be counted. Without a later campaign, the last landing is the first. */
export const touchChoices = ['first', 'last'] as const;

/** One of `touchChoices`. */
export type TouchChoice = (typeof touchChoices)[number];

/** The parts of a landing by which orders can be grouped. */
export const originParts = ['source', 'medium', 'campaign'] as const;

/** One of `originParts`. */
export type OriginPart = (typeof originParts)[number];

/**
 * Origin of orders. `direct`: a landing that names nothing. `unknown`: no landing. `named`: a landing that names a source,
 * medium or campaign. Then the part `by` is `name`, in lower case, or empty if the landing lacks that part.
 */
export type Origin =
  | { touch: TouchChoice; kind: 'direct' }
  | { touch: TouchChoice; kind: 'unknown' }
  | { touch: TouchChoice; kind: 'named'; by: OriginPart; name: string };

/** Length to which a part is cut, because it is part of an index's key. */
export const originCharacters = 100;

/** Expression for the landing that an order `o` is counted for. */
const landingOf = (sql: Sql, touch: TouchChoice) =>
  touch === 'first' ? sql`o.first_touch` : sql`coalesce(o.last_touch, o.first_touch)`;

/** Expression for a part of a landing, as it is grouped. A source is the campaign's; if missing, the referrer's host. */
export function partOf(sql: Sql, landing: Fragment, part: OriginPart): Fragment {
  const text =
    part === 'source'
      ? sql`coalesce(${landing} ->> 'source', ${landing} ->> 'referrer')`
      : sql`${landing} ->> ${part}::text`;
  return sql`coalesce(left(lower(${text}), ${originCharacters}::int), '')`;
}

/** Condition that an order `o` has an origin. PostgreSQL reads the landings of each order among which it searches. */
export function isFrom(sql: Sql, origin: Origin): Fragment {
  const landing = landingOf(sql, origin.touch);
  if (origin.kind === 'unknown') return sql`${landing} is null`;
  const part = (of: OriginPart) => partOf(sql, landing, of);
  const says = sql`${part('source')} || ${part('medium')} || ${part('campaign')}`;
  if (origin.kind === 'direct') return sql`(${landing} is not null and ${says} = '')`;
  return sql`(${landing} is not null and ${part(origin.by)} = ${origin.name} and ${says} <> '')`;
}
