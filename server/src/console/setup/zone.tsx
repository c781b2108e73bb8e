import { type Listeners, notifyListeners } from '../../core/listener.js';
import { findTeam, isZone, updateTeam } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import type { Uuid } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Action } from '../parts/form.js';
import { Notice } from '../parts/panel.js';

/** Time zone of a team that has not chosen one. */
export const unchosenZone = 'UTC';

/** Offers the browser's time zone to a team that has not chosen one. The script fills in the zone and shows the offer. */
export function ZoneOffer() {
  const { session } = useConsole();
  if (session.isReadOnly || session.zone !== unchosenZone) return null;
  return (
    <div id="zone" hidden>
      <Notice
        tone="warn"
        actions={
          <Action to="/setup/shop/zone" fields={{ zone: '' }}>
            Use <span></span>
          </Action>
        }
      >
        Days begin at midnight in UTC. If your shop is where you are, use your time zone.
      </Notice>
    </div>
  );
}

/** Former names that browsers and Node give to zones, with today's names. PostgreSQL on Debian 13 only knows the latter. */
const namesOfToday = new Map([
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['Africa/Asmera', 'Africa/Asmara'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
]);

/** Sets the time zone of a team that has not chosen one. Resolves with the team's zone; null if `asked` is no zone. */
export async function chooseZone(
  sql: Sql,
  teamId: Uuid,
  asked: string,
  listeners: Listeners,
): Promise<string | null> {
  const zone = await findZone(sql, asked);
  if (zone === null) return null;
  return inTransaction(sql, async (tx) => {
    const team = await findTeam(tx, teamId, { lock: true });
    // A colleague may have chosen another zone.
    if (team?.zone !== unchosenZone) return team?.zone ?? null;
    await updateTeam(tx, { ...team, zone });
    await notifyListeners(listeners, 'onTeamChanged', tx, teamId, team, { ...team, zone });
    return zone;
  });
}

/** Finds the name by which Node and the database know a time zone; null if the text is no zone. */
export async function findZone(sql: Sql, asked: string): Promise<string | null> {
  for (const name of [asked, namesOfToday.get(asked)])
    if (name !== undefined && (await isZone(sql, name))) return name;
  return null;
}
