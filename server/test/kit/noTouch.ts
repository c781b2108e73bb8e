import type { Touch } from '@orderbeacon/sdk/contract';

/** Touch of which nothing is known. */
export const noTouch: Touch = {
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
