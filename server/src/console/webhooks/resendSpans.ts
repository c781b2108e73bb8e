import { hourMs } from '../../values/timeUnits.js';

/** The times of failed events that a form offers to send again. Deliveries are kept for 30 days. */
export const resendSpans = [
  { name: '1h', words: 'The last hour', ms: hourMs },
  { name: '24h', words: 'The last 24 hours', ms: 24 * hourMs },
  { name: '3d', words: 'The last 3 days', ms: 72 * hourMs },
  { name: '30d', words: 'The last 30 days', ms: 720 * hourMs },
] as const;
