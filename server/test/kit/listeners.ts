import { features } from '../../src/app/features.js';
import type { Extras } from '../../src/commands/command.js';
import type { Sql } from '../../src/database/connection/connect.js';
import { install } from '../../src/host/install.js';

/** Returns the additions of features to commands. */
export const extrasOf = (sql: Sql): Extras => install(features).extrasOf(sql);

/** Returns the listeners that a command notifies of its changes. */
export const listenersOf = (sql: Sql) => extrasOf(sql).listeners;
