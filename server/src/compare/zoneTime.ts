import { hourMs } from '../values/timeUnits.js';
import { clockOptions, quarterMs, readClock } from '../values/zoneClock.js';

/** Reads a zone's clock as UTC: the time, in milliseconds since 1970, at which the clock of the zone shows what `clockMs` shows in UTC. */
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

/**
 * Makes the function that reads the clock of a zone as a row names it: `Europe/Berlin`, `PDT`, `GMT+02:00`. Any other, and the
 * 101st, is the file's.
 */
export function createZones(ofFile: ToUtc): (zone: string) => ToUtc {
  const known = new Map<string, ToUtc>();

  function create(zone: string): ToUtc {
    const [, named, minutes = 0] = /^(?:GMT|UTC)?([+-]\d\d?)(?::?(\d\d))?$/i.exec(zone) ?? [];
    const hours = named === undefined ? hoursOf[zone.toUpperCase()] : Number(named);
    if (hours !== undefined) {
      const offsetMs = (hours + (Math.sign(hours) * Number(minutes)) / 60) * hourMs;
      return (clockMs) => clockMs - offsetMs;
    }
    try {
      return createToUtc(zone);
    } catch {
      return ofFile;
    }
  }

  return function toUtcIn(zone) {
    // A column of something else could have a word in each row, and to try one takes 0.1 ms.
    const isNew = zone !== '' && !known.has(zone) && known.size < zonesAtMost;
    if (isNew) known.set(zone, create(zone));
    return known.get(zone) ?? ofFile;
  };
}
