import { expect, it } from 'vitest';
import { parseMoment } from '../../src/commands/time.js';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const read = (text: string) => {
  const { at, isZoneAssumed } = parseMoment('--since', text, nowMs);
  return [at.toISOString(), isZoneAssumed];
};

it.each([
  ['2026-11-01', '2026-11-01T00:00:00.000Z', true],
  ['2026-11-01T09:30', '2026-11-01T09:30:00.000Z', true],
  ['2026-11-01 09:30:15.5', '2026-11-01T09:30:15.500Z', true],
  ['2026-11-01T09:30Z', '2026-11-01T09:30:00.000Z', false],
  ['2026-11-01T09:30+01:00', '2026-11-01T08:30:00.000Z', false],
  ['2026-11-01T09:30:00-0530', '2026-11-01T15:00:00.000Z', false],
  ['30m', '2026-11-21T11:30:00.000Z', false],
  ['36h', '2026-11-20T00:00:00.000Z', false],
  ['7d', '2026-11-14T12:00:00.000Z', false],
  ['999999d', '1970-01-01T00:00:00.000Z', false],
  ['0000-01-01', '1970-01-01T00:00:00.000Z', true],
])('%s is %s', (text, time, isZoneAssumed) => {
  expect(read(text)).toEqual([time, isZoneAssumed]);
});

it('a time without a zone means the same in every zone of the machine', () => {
  const zone = process.env.TZ;
  try {
    for (const TZ of ['America/New_York', 'Pacific/Auckland', 'UTC']) {
      process.env.TZ = TZ;
      expect(read('2026-11-01T09:30')).toEqual(['2026-11-01T09:30:00.000Z', true]);
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

it.each(
  [
    'yesterday||2026-02-30|2026-13-01|2026-11-01T25:00|2026-11-01T09:30 CET|01.11.2026|7w',
    '2026-11|-7d',
  ].flatMap((line) => line.split('|')),
)('%j is refused with the forms that there are', (text) => {
  expect(() => read(text)).toThrow(/^--since must be a date or time such as 2026-11-01 .*7d; not/);
});
