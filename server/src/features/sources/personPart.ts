import type { PersonPart } from '../../commands/personPart.js';
import { listApartEventsOf, removeApartEventsOf } from './sql/apartEvent.js';

/** Exports and erases the kept events of other hosts that contain a person's email. */
export const sourcesOfPerson: PersonPart = {
  name: 'sourceEvents',
  noun: 'events of other shops',
  erase: removeApartEventsOf,
  export: async (sql, teamId, email) =>
    (await listApartEventsOf(sql, teamId, email)).map(({ host, receivedAt, body }) => ({
      host,
      receivedAt: receivedAt.toISOString(),
      body,
    })),
};
