import type { Sql } from '../database/connection/connect.js';
import type { SubjectReaders } from '../hooks/readContent.js';
import { readEnrollment } from '../people/readEnrollment.js';
import { readToldOrder } from './readOrder.js';

/** Makes the readers of what hooks are told of. */
export function createSubjectReaders(sql: Sql): SubjectReaders {
  return {
    order: (teamId, id) => readToldOrder(sql, teamId, id),
    enrollment: (teamId, id) => readEnrollment(sql, teamId, id),
  };
}
