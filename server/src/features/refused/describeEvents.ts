import type { DescribeEvents } from '../../http/operation.js';

/** Describes `refused.began`, the event of reports that begin to be refused. */
export const describeRefusedEvents: DescribeEvents = () => ({
  'refused.began': {
    schema: 'BegunRefusalsEvent',
    summary: 'Reports of a host or field begin to be refused',
    data: {
      teamName: 'Shop',
      reason: 'domain_not_allowed',
      host: 'new.shop.example',
      field: null,
      reports: 1,
      message:
        'Reports begin to be refused: new.shop.example is not among your domains. 1 report so far. In the console, under Refused: If it is your shop, allow it: each order counts from the time when it came. If not, discard them.',
    },
  },
});
