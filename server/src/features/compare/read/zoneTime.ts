import { clockOptions, hourMs, quarterMs, readClock } from '../../../values/time.js';

/** Finds the time, in milliseconds since 1970, at which the clock of a zone shows what `clockMs` shows in UTC. */
export type ToUtc = (clockMs: number) => number;

/** Makes the function that reads the clock of a time zone, such as `Europe/Berlin`. */
export function createToUtc(zone: string): ToUtc {
  if (zone === 'UTC') return (clockMs) => clockMs;
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, ...clockOptions });
  /** Offsets by quarters: to format takes 3 us, and a file has many rows of one day. */
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

/** Zones that programs name by their clock, in hours from UTC, beside those that the system knows. */
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

/** Zones of one file. */
const zonesAtMost = 100;

/** Finds a zone as a file names it: `Europe/Berlin`, `PDT`, `+0200`, `GMT+02:00`, `Z`. Null for any other text. */
export type FindZone = (name: string) => ToUtc | null;

/** Makes the function that finds the zones of one file, at most 100. */
export function createFindZone(): FindZone {
  const known = new Map<string, ToUtc | null>();
  return function findZone(name) {
    // A column of something else could have a word in each row, and to try one takes 0.1 ms.
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
