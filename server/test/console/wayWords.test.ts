import type { Touch } from '@orderbeacon/sdk/contract';
import { expect, it } from 'vitest';
import { describeWay } from '../../src/console/orders/wayWords.js';
import { noTouch } from '../kit/noTouch.js';

const createdAt = new Date('2026-05-13T10:00:00Z');
const newsletter = { ...noTouch, at: '2026-05-01T23:00:00Z', source: 'newsletter', campaign: 'spring' };
const google = { ...noTouch, at: '2026-05-13T08:00:00Z', source: 'google', medium: 'cpc' };

it.each<[Touch | null, Touch | null, string | null]>([
  [newsletter, google, 'newsletter, spring, 11 days before; back by google cpc, same day'],
  [newsletter, null, 'newsletter, spring, 11 days before'],
  [null, google, 'google cpc, same day'],
  [{ ...noTouch, at: '2026-05-12T21:00:00Z', referrer: 'blog.example' }, null, 'blog.example, 1 day before'],
  [{ ...noTouch, at: '2026-05-12T22:00:00Z', path: '/' }, null, 'direct, same day'],
  [{ ...noTouch, source: 'flyer' }, null, 'flyer'],
  [google, { ...noTouch, campaign: 'spring' }, 'google cpc, same day; back by spring'],
  [null, null, null],
])(
  'the way of an order is told in words, in days of the viewer’s zone (%#)',
  (firstTouch, lastTouch, words) => {
    const viewer = { zone: 'Europe/Berlin' };
    expect(describeWay({ firstTouch, lastTouch, createdAt }, viewer)).toBe(words);
  },
);
