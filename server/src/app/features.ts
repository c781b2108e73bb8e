import { backup } from '../features/backup/feature.js';
import { catalog } from '../features/catalog/feature.js';
import { citus } from '../features/citus/feature.js';
import { compare } from '../features/compare/feature.js';
import { demo } from '../features/demo/feature.js';
import { docs } from '../features/docs/feature.js';
import { doctor } from '../features/doctor/feature.js';
import { overview } from '../features/overview/feature.js';
import { pageCheck } from '../features/pageCheck/feature.js';
import { refused } from '../features/refused/feature.js';
import { repeats } from '../features/repeats/feature.js';
import { createSilence } from '../features/silence/feature.js';
import { sources } from '../features/sources/feature.js';
import { webhooks } from '../features/webhooks/feature.js';
import { findWatch } from '../features/webhooks/sql/hookWatch.js';
import { wooPlugin } from '../features/wooPlugin/feature.js';
import type { Feature } from '../host/host.js';

/** All features: each is a folder and a line here. Listeners are notified, and commands are added, in this order. */
export const features: readonly Feature[] = [
  catalog,
  overview,
  compare,
  refused,
  repeats,
  sources,
  webhooks,
  createSilence(findWatch),
  pageCheck,
  wooPlugin,
  docs,
  demo,
  backup,
  doctor,
  citus,
];
