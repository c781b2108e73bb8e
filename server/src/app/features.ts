import type { Listener, Listeners } from '../core/listener.js';
import { createLookAgain } from '../core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import { type AskAllTeams, askTogether } from '../database/askAllTeams.js';
import type { Sql } from '../database/connection/connect.js';
import { backup } from '../features/backup/feature.js';
import { citus } from '../features/citus/feature.js';
import { compare } from '../features/compare/feature.js';
import { demo } from '../features/demo/feature.js';
import { docs } from '../features/docs/feature.js';
import { doctor } from '../features/doctor/feature.js';
import type { Distribution, Feature, FeatureDeps, Made, Work } from '../features/feature.js';
import { overview } from '../features/overview/feature.js';
import { pageCheck } from '../features/pageCheck/feature.js';
import { refused } from '../features/refused/feature.js';
import { repeats } from '../features/repeats/feature.js';
import { createSilence } from '../features/silence/feature.js';
import { sources } from '../features/sources/feature.js';
import { webhooks } from '../features/webhooks/feature.js';
import { findWatch } from '../features/webhooks/sql/hookWatch.js';
import { wooPlugin } from '../features/wooPlugin/feature.js';
import type { Uuid } from '../values/ids.js';

/** The list: an extra is its folder and its line. They are told of orders, and add their commands, in this order. */
export const features: readonly Feature[] = [
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

/** The features of one program, and what the core takes of them. */
export interface Extended {
  features: readonly Feature[];
  made: readonly Made[];
  /** Those of the core and of the features, in the order in which they are told. */
  listeners: Listeners;
  /** Notes a team of which something waits for its order. */
  onWaiting: (teamId: Uuid) => void;
  /** What the core itself does without being asked. */
  work: readonly Work[];
}

/** The distribution of the one feature that has it; undefined for none. */
export const distributionOf = (list: readonly Feature[]): Distribution | undefined =>
  list.find(({ distribution }) => distribution)?.distribution;

/** Lists a part of all features that have it. */
export const partsOf = <Name extends 'team' | 'person' | 'checks'>(name: Name) =>
  features.flatMap((feature) => feature[name] ?? []) as NonNullable<Feature[Name]>[];

/** Makes the features of a program, and joins them with the core's own listener. */
export function makeFeatures(
  list: readonly Feature[],
  {
    sql,
    noteFault,
    isCommand = false,
  }: { sql: Sql; noteFault: FeatureDeps['noteFault']; isCommand?: boolean },
): Extended {
  const listeners: Listener[] = [];
  const made: Made[] = [];
  const askAllTeams: AskAllTeams = (statement) =>
    (made.find((each) => each.askAllTeams)?.askAllTeams ?? askTogether)(statement);
  const place = createPlaceStatements(sql, listeners);
  const lookAgain = createLookAgain(sql, place, listeners, isCommand, askAllTeams);
  const deps: FeatureDeps = {
    sql,
    noteFault,
    askAllTeams,
    watches: Object.assign({}, ...list.map(({ watches }) => watches)),
    keepRefused: async (...report) =>
      void (await Promise.all(made.map((each) => each.keepRefused?.(...report)))),
  };
  made.push(...list.flatMap((feature) => feature.make?.(deps) ?? []));
  listeners.push(lookAgain.listener, ...made.flatMap(({ listener }) => listener ?? []));
  return {
    features: list,
    made,
    listeners,
    onWaiting: lookAgain.onWaiting,
    work: [{ name: 'look_again', start: lookAgain.start }],
  };
}
