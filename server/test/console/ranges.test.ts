import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBuckets } from '../../src/console/parts/buckets.js';
import { addMonths, dayOf, readDay, startOfDay, writeDay } from '../../src/console/parts/calendar.js';
import { makeRange, type Range, readRange } from '../../src/console/parts/range.js';
import { fewAndMany } from '../kit/fewAndMany.js';

const zones = [
  'UTC Europe/Berlin America/New_York Asia/Kolkata Asia/Kathmandu America/St_Johns',
  'Pacific/Apia America/Santiago Africa/Cairo Pacific/Kiritimati Pacific/Niue',
  'Australia/Lord_Howe',
].flatMap((line) => line.split(' '));
const presets = ['today', '7d', '30d', 'month', 'last-month', '12m'] as const;

const at = (now: string, zone = 'UTC') => ({ now: new Date(now), zone });
const custom = (from: string, to: string, here = at('2026-11-22T14:20:00Z')) => readRange({ from, to }, here);
const days = ({ first, last }: Range) => [writeDay(first), writeDay(last)];
const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

describe('the days of', () => {
  it.each([
    ['today', '2026-11-22', '2026-11-22'],
    ['7d', '2026-11-16', '2026-11-22'],
    ['30d', '2026-10-24', '2026-11-22'],
    ['month', '2026-11-01', '2026-11-22'],
    ['last-month', '2026-10-01', '2026-10-31'],
    ['12m', '2025-12-01', '2026-11-22'],
  ] as const)('%s are %s to %s', (name, first, last) => {
    expect(days(makeRange(name, at('2026-11-22T14:20:00Z')))).toEqual([first, last]);
  });

  it.each([
    ['2024-03-15T12:00:00Z', 'UTC', 'last-month', '2024-02-01', '2024-02-29'],
    ['2026-01-31T12:00:00Z', 'UTC', 'last-month', '2025-12-01', '2025-12-31'],
    ['2026-10-31T23:30:00Z', 'Europe/Berlin', 'month', '2026-11-01', '2026-11-01'],
    ['2026-11-01T03:30:00Z', 'America/New_York', 'month', '2026-10-01', '2026-10-31'],
    ['2026-03-31T12:00:00Z', 'UTC', '12m', '2025-04-01', '2026-03-31'],
  ] as const)('now %s in %s: %s is %s to %s', (now, zone, name, first, last) => {
    expect(days(makeRange(name, at(now, zone)))).toEqual([first, last]);
  });
});

describe('the period before', () => {
  it.each([
    ['today', '2026-11-21T00:00:00.000Z', '2026-11-21T14:15:00.000Z'],
    ['7d', '2026-11-09T00:00:00.000Z', '2026-11-15T14:15:00.000Z'],
    ['month', '2026-10-01T00:00:00.000Z', '2026-10-22T14:15:00.000Z'],
    ['last-month', '2026-09-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z'],
    ['12m', '2024-12-01T00:00:00.000Z', '2025-11-22T14:15:00.000Z'],
  ] as const)(
    '%s begins at %s and ends at %s, as much of it as has passed of the range',
    (name, from, to) => {
      expect(iso(makeRange(name, at('2026-11-22T14:20:00Z')).before)).toEqual([from, to]);
    },
  );

  it('of whole months is as many months, of other days as many days, and it ends where the range begins', () => {
    expect(iso(custom('2026-02-01', '2026-02-28').range!.before)[0]).toBe('2026-01-01T00:00:00.000Z');
    expect(iso(custom('2026-01-01', '2026-03-31').range!.before)[0]).toBe('2025-10-01T00:00:00.000Z');
    expect(iso(custom('2026-03-02', '2026-03-08').range!.before)).toEqual([
      '2026-02-23T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ]);
    // On 31 March: February has no such day.
    const { before } = makeRange('month', at('2026-03-31T14:20:00Z'));
    expect(iso(before)).toEqual(['2026-02-01T00:00:00.000Z', '2026-02-28T14:15:00.000Z']);
  });

  it('of months that are over has all of its days, also where it is longer', () => {
    const named = ({ daysBefore }: Range) => [writeDay(daysBefore.first), writeDay(daysBefore.last)];
    const december = at('2026-12-15T14:20:00Z');
    expect(named(makeRange('last-month', december))).toEqual(['2026-10-01', '2026-10-31']);
    expect(named(custom('2026-02-01', '2026-02-28').range!)).toEqual(['2026-01-01', '2026-01-31']);
    expect(named(custom('2026-04-01', '2026-06-30').range!)).toEqual(['2026-01-01', '2026-03-31']);
    expect(named(makeRange('month', december))).toEqual(['2026-11-01', '2026-11-15']);
  });

  it.each([
    // 12:00 in New York is 16:00 in UTC until 2:00 of 1 November 2026, and 17:00 after that.
    ['today', '2026-11-01T17:00:00Z', '2026-10-31T16:00:00.000Z'],
    ['7d', '2026-11-08T17:00:00Z', '2026-11-01T17:00:00.000Z'],
    ['today', '2026-03-08T16:00:00Z', '2026-03-07T17:00:00.000Z'],
    ['month', '2026-12-01T05:30:00Z', '2026-11-01T04:30:00.000Z'],
    ['month', '2026-11-15T17:00:00Z', '2026-10-15T16:00:00.000Z'],
  ] as const)('%s ends at the same time of day where clocks have changed, at %s', (name, now, end) => {
    expect(iso(makeRange(name, at(now, 'America/New_York')).before)[1]).toBe(end);
  });
});

describe('days that are typed', () => {
  it('choose the days from the first to the last one, in the viewer’s zone, without `to` up to today', () => {
    const berlin = at('2026-11-22T14:20:00Z', 'Europe/Berlin');
    expect(iso(custom('2026-10-01', '2026-10-31', berlin).range!.span)).toEqual([
      '2026-09-30T22:00:00.000Z',
      '2026-10-31T23:00:00.000Z',
    ]);
    expect(days(custom('2026-10-01', '').range!)).toEqual(['2026-10-01', '2026-11-22']);
    expect(readRange({ range: 'custom', from: '2026-10-01', to: '' }, berlin).range!.name).toBe('custom');
    expect(readRange({ range: '7d', from: '2026-10-01', to: '' }, berlin).range!.name).toBe('7d');
  });

  it.each([
    ['2026-11-02', '2026-11-01', /after the last/],
    ['2026-02-31', '2026-03-01', /“2026-02-31” is not a day/],
    ['2025-02-29', '', /“2025-02-29” is not a day/],
    ['2026-11-01', 'yesterday', /“yesterday” is not a day/],
    ['2026-11-01', '2026-11-1', /not a day/],
    ['0000-01-01', '2026-11-01', /not a day|before 1970/],
    ['0001-01-01', '2026-11-01', /before 1970/],
    ['0001-01-01', '9999-12-31', /before 1970/],
    ['2016-11-22', '2026-11-22', /5 years/],
    ['2021-11-22', '2026-11-22', /5 years/],
    ['9999-01-01', '9999-12-31', /future/],
    ['2026-11-23', '', /after the last|future/],
    ['', '2026-11-01', /first day/],
    ['+275760-09-13', '', /not a day/],
    ['x'.repeat(10_000), '', /not a day/],
  ])('%s to %s choose no range, and a sentence says why', (from, to, words) => {
    const { range, note } = custom(from, to);
    expect([range, note]).toEqual([null, expect.stringMatching(words)]);
    expect(note!.length).toBeLessThan(150);
  });

  it('that lie ahead are left out, with a note', () => {
    const { range, note } = custom('2026-11-01', '9999-12-31');
    expect([days(range!), note]).toEqual([
      ['2026-11-01', '2026-11-22'],
      expect.stringContaining('after today'),
    ]);
    expect(days(custom('2024-02-29', '2024-02-29').range!)).toEqual(['2024-02-29', '2024-02-29']);
    expect(custom('2021-11-23', '2026-11-22').range!.by).toBe('month');
  });

  it('named like a property of objects, or not at all, choose no range', () => {
    for (const range of ['toString', '__proto__', 'nonsense', '', undefined])
      expect(readRange({ range }, at('2026-11-22T14:20:00Z'))).toEqual({ range: null, note: null });
  });
});

describe('the buckets of a range', () => {
  const anyTime = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2027-12-31'),
    noInvalidDate: true,
  });
  /** A custom range of some days, which ends some days ago. */
  const anyDays = fc.record({ ago: fc.nat(40), length: fc.nat(1000) });

  for (const { numRuns, tags } of fewAndMany(400))
    it(`follow each other without gaps, and each begins with an hour, day or month of the zone (${numRuns})`, {
      tags,
    }, () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...zones),
          fc.oneof(fc.constantFrom(...presets), anyDays),
          anyTime,
          (zone, chosen, now) => {
            const here = { now, zone };
            const range =
              typeof chosen === 'string'
                ? makeRange(chosen, here)
                : readRange(
                    {
                      from: writeDay(dayOf(now, zone) - chosen.ago - chosen.length),
                      to: writeDay(dayOf(now, zone) - chosen.ago),
                    },
                    here,
                  ).range!;
            const { before } = range;
            expect(before.from <= before.to && before.to <= range.span.from).toBe(true);
            const buckets = makeBuckets(range, here);
            expect(buckets.length).toBeLessThanOrEqual(92);
            expect(buckets[0]!.from).toEqual(range.span.from);
            expect(buckets.at(-1)!.to).toEqual(range.span.to);
            const format = new Intl.DateTimeFormat('en-GB', {
              timeZone: zone,
              day: 'numeric',
              hour: '2-digit',
              minute: '2-digit',
              hourCycle: 'h23',
            });
            const part = (time: Date, type: string) =>
              format.formatToParts(time).find((each) => each.type === type)!.value;
            for (const [n, { from, to }] of buckets.entries()) {
              if (n > 0) expect(from).toEqual(buckets[n - 1]!.to);
              expect(from < to).toBe(true);
              expect(from.getTime() % (15 * 60_000)).toBe(0);
              // Lord Howe Island changes its clocks by half an hour, at 2:00.
              if (zone !== 'Australia/Lord_Howe') expect(part(from, 'minute')).toBe('00');
              if (range.by === 'hour') continue;
              expect(part(new Date(from.getTime() - 1), 'day')).not.toBe(part(from, 'day'));
              if (n === 0) continue;
              if (range.by === 'month') expect(part(from, 'day')).toBe('1');
            }
          },
        ),
        { numRuns },
      );
    });

  it('are 24 hours on most days, 23 or 25 when clocks change, and those of today end with the hour of now', () => {
    const hours = (from: string, now: string) => {
      const here = at(now, 'Europe/Berlin');
      return makeBuckets(custom(from, from, here).range!, here).length;
    };
    expect(hours('2026-03-28', '2026-06-01T12:00:00Z')).toBe(24);
    expect(hours('2026-03-29', '2026-06-01T12:00:00Z')).toBe(23);
    expect(hours('2025-10-26', '2026-06-01T12:00:00Z')).toBe(25);
    expect(hours('2026-06-01', '2026-06-01T12:10:00Z')).toBe(15);
  });

  it('are hours up to two days, days up to 92, and months beyond', () => {
    const by = (first: string) => custom(first, '2026-11-22').range!.by;
    expect(['2026-11-21', '2026-11-20', '2026-08-23', '2026-08-22'].map(by)).toEqual([
      'hour',
      'day',
      'day',
      'month',
    ]);
    const here = at('2026-11-22T14:20:00Z');
    expect(makeBuckets(makeRange('12m', here), here)).toHaveLength(12);
  });
});

describe('a day', () => {
  it('begins at its first moment, whatever the zone and the year', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 5000, max: 25_000 }), (zone, day) => {
        const start = startOfDay(day, zone);
        expect(dayOf(new Date(start.getTime() - 1), zone)).toBeLessThan(day);
        // Samoa left out 30 December 2011.
        expect(dayOf(start, zone)).toBe(zone === 'Pacific/Apia' && day === 15_338 ? day + 1 : day);
      }),
      { numRuns: 100 },
    );
    expect(startOfDay(readDay('2011-12-30')!, 'Pacific/Apia')).toEqual(
      startOfDay(readDay('2011-12-31')!, 'Pacific/Apia'),
    );
  });

  it('of a longer month is the last one of a shorter month', () => {
    const month = (day: string, months: number) => writeDay(addMonths(readDay(day)!, months));
    expect(month('2024-03-31', -1)).toBe('2024-02-29');
    expect(month('2026-03-31', -1)).toBe('2026-02-28');
    expect(month('2026-01-15', -1)).toBe('2025-12-15');
    expect(month('2024-02-29', -12)).toBe('2023-02-28');
  });
});
