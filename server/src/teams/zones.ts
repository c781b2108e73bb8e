import type { Sql } from '../database/connection/connect.js';
import { isKnownZone } from './sql/team.js';

/** True for a time zone that both Node and the database know. */
export async function isZone(sql: Sql, zone: string): Promise<boolean> {
  return isZoneOfNode(zone) && (await isKnownZone(sql, zone));
}

/** Node takes offsets such as `+02:00` too, of which PostgreSQL reads the sign the other way round. */
function isZoneOfNode(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return /^[A-Za-z]/.test(timeZone);
  } catch {
    return false;
  }
}
