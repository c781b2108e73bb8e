import type { RefundRequest } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { withoutFloatNoise } from '../../values/decimal.js';
import { mustBeAmount, shorten } from '../../values/issues.js';
import { amountAtMost, limits } from '../../values/limits.js';
import { text } from '../../values/text.js';
import { trimmedId, trimmedIdForm } from '../orders/reportSchema.js';

/** Names the first field too many, which is often a misspelt one. */
function describeShape({ code, keys }: { code: string; keys?: unknown }): string {
  if (code !== 'unrecognized_keys') return 'must be a JSON object';
  const [name] = keys as string[];
  return `must have no field "${shorten(name!)}", only orderId, refundId, amount, reason and teamId`;
}

/** The body of a refund. Other fields are refused, because a misspelt `amount` would refund all of the order. */
export const refundSchema = z.strictObject(
  {
    teamId: text(limits.id)
      .optional()
      .meta({ description: 'The key’s team, `team_…`. You may leave it out.' }),
    orderId: trimmedId.meta({
      description:
        'Your own identifier of the order, its `ord_…` or its `ORD-…`. Spaces around it and invisible characters do not count.',
      ...trimmedIdForm,
    }),
    refundId: trimmedId.meta({
      description:
        'Your own identifier of the refund: the same one again is the same refund. Spaces around it do not count.',
      ...trimmedIdForm,
    }),
    amount: z
      .number({ error: mustBeAmount })
      .gt(0, { error: 'must be above 0' })
      .max(amountAtMost, { error: `must be at most ${amountAtMost}` })
      .transform(withoutFloatNoise)
      .optional()
      .meta({
        description:
          'Major units in the order’s currency. Default: all that is left of the order. More than that is refused.',
      }),
    reason: text(limits.text).optional().meta({ description: 'Why it was refunded, for people.' }),
  },
  { error: (issue) => describeShape(issue) },
) satisfies z.ZodType<RefundRequest>;
