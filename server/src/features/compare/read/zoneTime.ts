import { clockOptions, hourMs, quarterMs, readClock } from '../../../values/time.js';

/** Converts a zone's clock time into UTC. `clockMs` is the clock time as if it were UTC. Both are in milliseconds since 1970. */
export type ToUtc = (clockMs: number) => number;

/** Creates the function that converts the clock times of a zone, such as `Europe/Berlin`, into UTC. */
export function createToUtc(zone: string): ToUtc {
  if (zone === 'UTC') return (clockMs) => clockMs;
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, ...clockOptions });
  /** The zone's offsets from UTC, cached by quarter of an hour. Formatting a time takes 3 us, and a file has many rows of one day. */
  const offsets = new Map<number, number>();

  function offsetAt(ms: number): number {
    const quarter = Math.floor(ms / quarterMs);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = readClock(format, quarter * quarterMs) - quarter * quarterMs;
    offsets.set(quarter, offset);
    return offset;
  }

  return (clockMs) => clockMs - offsetAt(clockMs - offsetAt(clockMs));
}

/** Names of zones that the system does not know, with their hours from UTC. */
const hoursOf: Readonly<Record<string, number>> = {
  Z: 0,
  PST: -8,
  PDT: -7,
  MDT: -6,
  CST: -6,
  CDT: -5,
  EDT: -4,
  BST: 1,
  CEST: 2,
};

/** Zones of one file at most. */
const zonesAtMost = 100;

/** Finds a zone by its name in a file: `Europe/Berlin`, `PDT`, `+0200`, `GMT+02:00`, `Z`. Null for any other text. */
export type FindZone = (name: string) => ToUtc | null;

/** Creates the function that finds the zones of one file, at most 100. */
export function createFindZone(): FindZone {
  const known = new Map<string, ToUtc | null>();
  return function findZone(name) {
    // A column of other data may have a new word in each row, and trying one takes 0.1 ms.
    const isNew = name !== '' && name.length <= 64 && !known.has(name) && known.size < zonesAtMost;
    if (isNew) known.set(name, parseZone(name));
    return known.get(name) ?? null;
  };
}

function parseZone(name: string): ToUtc | null {
  const [, named, minutes = 0] = /^(?:GMT|UTC)?([+-]\d\d?)(?::?(\d\d))?$/i.exec(name) ?? [];
  const hours = named === undefined ? hoursOf[name.toUpperCase()] : Number(named);
  if (hours !== undefined) {
    const offsetMs = (hours + (Math.sign(hours) * Number(minutes)) / 60) * hourMs;
    return (clockMs) => clockMs - offsetMs;
  }
  try {
    return createToUtc(name);
  } catch {
    return null;
  }
}
