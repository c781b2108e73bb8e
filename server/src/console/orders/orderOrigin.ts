import { type Origin, originCharacters, originParts } from '../sql/origin.js';

/** Writes an origin of orders for an address: `source.google`, `last.medium.cpc`, `direct`, `last.unknown`. */
export function writeOrigin(origin: Origin): string {
  const what = origin.kind === 'named' ? `${origin.by}.${origin.name}` : origin.kind;
  return origin.touch === 'last' ? `last.${what}` : what;
}

/** Reads a text of `writeOrigin`; null for any other text. */
export function readOrigin(text: string): Origin | null {
  const [, last, kind, part, name = ''] =
    /^(last\.)?(?:(direct|unknown)|([a-z]+)\.(.*))$/s.exec(text.replaceAll('\0', '').toWellFormed()) ?? [];
  const touch = last === undefined ? 'first' : 'last';
  if (kind === 'direct' || kind === 'unknown') return { touch, kind };
  const by = originParts.find((each) => each === part);
  return by === undefined ? null : { touch, kind: 'named', by, name: name.slice(0, 2 * originCharacters) };
}

/** Describes an origin of orders: `From google`, `From no medium`, `From direct visits, last campaign`. */
export function describeOrigin(origin: Origin): string {
  const where =
    origin.kind === 'named'
      ? origin.name || `a visit without ${origin.by}`
      : { direct: 'direct visits', unknown: 'unknown visits' }[origin.kind];
  return `From ${where}${origin.touch === 'last' ? ', last campaign' : ''}`;
}
