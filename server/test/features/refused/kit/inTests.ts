import { features } from '../../../../src/app/features.js';
import { createRefused, refused } from '../../../../src/features/refused/feature.js';
import { type RefusedBounds, refusedBounds } from '../../../../src/features/refused/refusedReport.js';
import type { FormInTests } from '../../../kit/inTests.js';
import { patienceMs } from '../../../kit/server.js';

/** Bounds that a busy machine does not reach. */
export const patientBounds: RefusedBounds = { ...refusedBounds, waitAtMostMs: patienceMs };

/** The variant of the feature for servers of tests. */
export const form: FormInTests = { of: refused, inTests: createRefused(patientBounds) };

/** Options of a server with all features, and with other bounds of the kept refused reports. */
export const withRefused = (bounds: Partial<RefusedBounds>) => ({
  list: features.map((each) => (each === refused ? createRefused({ ...patientBounds, ...bounds }) : each)),
  isRefusedPoolTimed: bounds.waitAtMostMs !== undefined,
});
