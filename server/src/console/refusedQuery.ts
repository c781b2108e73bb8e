import type { RefusedPlace } from '../refused/refusedReport.js';
import { readPlace, writePlace } from './listPlace.js';
import type { RefusedKind } from './refusedWords.js';

/** What became of the reports that somebody has stored or discarded; a page shows it once. */
export interface RefusedNews {
  stored: number;
  known: number;
  refused: number;
  left: number;
  discarded: number;
}

/** What the address of a page of refused reports says, as far as it is valid. */
export interface RefusedQuery {
  /** The group that the page lists; null for all groups. */
  kind: RefusedKind | null;
  before: RefusedPlace | undefined;
  /** Null when nothing has just been done. */
  news: RefusedNews | null;
}

const kindNames = ['reason', 'host', 'field'] as const;
const newsNames = ['stored', 'known', 'refused', 'left', 'discarded'] as const;
/** No host, field or reason is longer. */
const characters = 512;

/** Reads the parameters of a page of refused reports; one that is not valid counts as absent. */
export function readRefusedQuery(asked: Record<string, string>): RefusedQuery {
  const news = newsNames.map((name) => (/^\d{1,7}$/.test(asked[name] ?? '') ? Number(asked[name]) : 0));
  const [stored = 0, known = 0, refused = 0, left = 0, discarded = 0] = news;
  return {
    kind: readKind((name) => asked[name]),
    before: readRefusedPlace(asked.before ?? ''),
    news: newsNames.some((name) => name in asked) ? { stored, known, refused, left, discarded } : null,
  };
}

/** Reads a group from a form or an address; null where it has no reason. */
export function readKind(read: (name: string) => string | null | undefined): RefusedKind | null {
  const text = (name: string) => (read(name) ?? '').replaceAll('\0', '').toWellFormed().slice(0, characters);
  const reason = text('reason');
  return reason === '' ? null : { reason, host: text('host'), field: text('field') };
}

/** The parameters of a page that lists a group, from a place on. */
export function refusedParameters(kind: RefusedKind | null, before?: RefusedPlace): string {
  const parameters = new URLSearchParams();
  for (const name of kindNames) if (kind) parameters.set(name, kind[name]);
  if (before) parameters.set('before', writePlace('ref', { at: before.receivedAt, id: before.id }));
  const text = String(parameters);
  return text === '' ? '' : `?${text}`;
}

/** The parameters of a page that says what has just been done. */
export function newsParameters(news: Partial<RefusedNews>): string {
  const parameters = new URLSearchParams();
  for (const name of newsNames) if (news[name]) parameters.set(name, String(news[name]));
  if (parameters.size === 0) parameters.set('stored', '0');
  return `?${parameters}`;
}

function readRefusedPlace(text: string): RefusedPlace | undefined {
  const place = readPlace('ref', text);
  return place ? { receivedAt: place.at, id: place.id } : undefined;
}
