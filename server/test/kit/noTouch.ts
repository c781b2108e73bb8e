import type { Touch } from '@orderbeacon/sdk/contract';

/** A touch with only unknown values. */
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
