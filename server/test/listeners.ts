import { createFeatures } from '../src/app/features.js';
import type { Sql } from '../src/database/connection/connect.js';

/** The listeners that a command tells of what it changes. */
export const listenersOf = (sql: Sql) => createFeatures({ sql, noteFault() {} }).listeners;
