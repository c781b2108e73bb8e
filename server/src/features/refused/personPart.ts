import type { PersonPart } from '../../commands/personPart.js';
import { toListedRefused } from './listedRefused.js';
import { listRefusedOf } from './sql/listRefused.js';
import { removeRefusedOf } from './sql/removeRefused.js';

/** Exports and erases the refused reports with a person's email. */
export const refusedOfPerson: PersonPart = {
  name: 'refused',
  noun: 'refused reports',
  // Waits for reports that are being replayed, so that the orders that a replay stores are erased, too.
  erase: removeRefusedOf,
  export: async (sql, teamId, email) => (await listRefusedOf(sql, teamId, email)).map(toListedRefused),
};
