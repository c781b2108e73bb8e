import type { Issue } from '@orderbeacon/sdk/contract';
import type { Exchange } from '../http/exchange.js';
import { orderDiffers } from '../orders/findDifference.js';
import type { Uuid } from '../values/ids.js';
import { fieldOf } from './fieldNames.js';
import type { RefusedKeeper } from './keepRefused.js';

/** Handles a page's report whose money differs from the known order, which it is answered with. Neither waits nor fails. */
export type OnDiffers = (exchange: Exchange, teamId: Uuid, issue: Issue) => void;

/** Makes the hook that keeps such a report, because a person has to decide which amount is right. */
export function createOnDiffers(keepLater: RefusedKeeper['keepLater']): OnDiffers {
  return function onDiffers({ sent, sender }, teamId, issue) {
    if (sent === null || 'part' in sent) return;
    const issues = [issue];
    keepLater(teamId, {
      error: { code: orderDiffers, issues },
      field: fieldOf(issues),
      ...sent,
      isCut: false,
      host: sender?.host ?? '',
      keyHash: null,
      idempotencyKey: null,
    });
  };
}
