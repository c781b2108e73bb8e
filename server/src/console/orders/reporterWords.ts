import type { ReportedBy } from '../../orders/storedOrder.js';

/** The ways in which an order is reported, in the order in which the chart stacks them. */
export const reporters = [
  { reportedBy: 'browser', title: 'Browser only' },
  { reportedBy: 'key', title: 'Backend only' },
  { reportedBy: 'both', title: 'Browser and backend' },
] as const satisfies { reportedBy: ReportedBy; title: string }[];

/** Words for the ways in which an order is reported. */
export const reporterWords = Object.fromEntries(
  reporters.map(({ reportedBy, title }) => [reportedBy, title]),
) as Record<ReportedBy, string>;
