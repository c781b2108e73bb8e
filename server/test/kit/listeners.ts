import { distributionOf, features, makeFeatures } from '../../src/app/features.js';
import type { Extras } from '../../src/commands/command.js';
import type { Sql } from '../../src/database/connection/connect.js';

/** The listeners that a command tells of what it changes. */
export const listenersOf = (sql: Sql) => makeFeatures(features, { sql, noteFault() {} }).listeners;

/** What a command takes of the features. */
export function extrasOf(sql: Sql): Extras {
  const listeners = listenersOf(sql);
  return { listeners, storeNew: distributionOf(features)?.reports(sql, listeners) };
}
