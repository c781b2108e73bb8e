import type { ReportedBy } from '../../orders/storedOrder.js';

/** Words for the ways in which an order is reported. */
export const reporterWords: Record<ReportedBy, { words: string; about: string }> = {
  both: { words: 'Confirmed', about: 'Reported by a page, and by a backend or shop system' },
  key: { words: 'Backend only', about: 'Reported by a backend or shop system alone' },
  browser: { words: 'Browser only', about: 'Reported by a page alone' },
};
