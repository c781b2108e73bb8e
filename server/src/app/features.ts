import type { Listener, Listeners } from '../core/listener.js';
import { createRefundListener } from '../core/refunds/listener.js';
import { createSettlingRefunds } from '../core/refunds/settleRefunds.js';
import { createCitus } from '../features/citus/feature.js';
import type { Feature, FeatureDeps, Placement, Work } from '../features/feature.js';
import { createOverview } from '../features/overview/feature.js';
import { createRefused } from '../features/refused/feature.js';
import { type RefusedBounds, refusedBounds } from '../features/refused/refusedReport.js';
import { createSilence } from '../features/silence/feature.js';
import { createSources } from '../features/sources/feature.js';
import { createWebhooks } from '../features/webhooks/feature.js';

/** Makes the features that a program has, with the listeners of all. A test has fewer. */
export type ListFeatures = (deps: FeatureDeps, listeners: Listeners) => readonly Feature[];

/** The list: an extra is its folder and its line. They are told of orders, and stopped, in this order. */
export function listFeatures(
  deps: FeatureDeps,
  listeners: Listeners,
  bounds: RefusedBounds = refusedBounds,
): readonly Feature[] {
  const refused = createRefused(deps, bounds);
  const silence = createSilence();
  return [
    createOverview(deps),
    createWebhooks({ ...silence.watches, ...refused.watches }),
    refused,
    silence,
    createSources(refused.keep),
    createCitus(listeners),
  ];
}

/** The features of a program, and what the core takes of them. */
export interface Extended {
  features: readonly Feature[];
  /** Those of the core and of the features, in the order in which they are told. */
  listeners: Listeners;
  /** Undefined where no feature has one. */
  placement: Placement | undefined;
  /** What the core itself does without being asked. */
  work: readonly Work[];
}

/** Makes the features of a program, and joins them with the core's own listener. */
export function createFeatures(deps: FeatureDeps, list: ListFeatures = listFeatures): Extended {
  const listeners: Listener[] = [];
  const settling = createSettlingRefunds(deps.sql, listeners);
  const features = list(deps, listeners);
  listeners.push(
    createRefundListener(settling),
    ...features.flatMap(({ listener }) => (listener ? [listener] : [])),
  );
  return {
    features,
    listeners,
    placement: features.find(({ placement }) => placement)?.placement,
    work: [{ name: 'refund_settling', start: settling.start }],
  };
}
