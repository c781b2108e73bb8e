import type { Touch } from '@orderbeacon/sdk/contract';
import { expect, it } from 'vitest';
import { tellWay } from '../src/console/wayWords.js';

const none: Touch = {
  at: null,
  path: null,
  referrer: null,
  source: null,
  medium: null,
  campaign: null,
  term: null,
  content: null,
  clickId: null,
};
const createdAt = new Date('2026-05-13T10:00:00Z');
const newsletter = { ...none, at: '2026-05-01T23:00:00Z', source: 'newsletter', campaign: 'spring' };
const google = { ...none, at: '2026-05-13T08:00:00Z', source: 'google', medium: 'cpc' };

it.each<[Touch | null, Touch | null, string | null]>([
  [newsletter, google, 'newsletter, spring, 11 days before; back by google cpc, same day'],
  [newsletter, null, 'newsletter, spring, 11 days before'],
  [null, google, 'google cpc, same day'],
  [{ ...none, at: '2026-05-12T21:00:00Z', referrer: 'blog.example' }, null, 'blog.example, 1 day before'],
  [{ ...none, at: '2026-05-12T22:00:00Z', path: '/' }, null, 'direct, same day'],
  [{ ...none, source: 'flyer' }, null, 'flyer'],
  [null, null, null],
])(
  'the way of an order is told in words, in days of the viewer’s zone (%#)',
  (firstTouch, lastTouch, words) => {
    const viewer = { locale: 'en', zone: 'Europe/Berlin' };
    expect(tellWay({ firstTouch, lastTouch, createdAt }, viewer)).toBe(words);
  },
);
