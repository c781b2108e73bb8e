import { features } from '../../src/app/features.js';
import type { Extras } from '../../src/commands/command.js';
import type { Sql } from '../../src/database/connection/connect.js';
import { install } from '../../src/host/install.js';

/** What a command takes of the features. */
export const extrasOf = (sql: Sql): Extras => install(features).extrasOf(sql);

/** The listeners that a command tells of what it changes. */
export const listenersOf = (sql: Sql) => extrasOf(sql).listeners;
