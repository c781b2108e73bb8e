import type { CheckPart } from '../../commands/check.js';
import { fetchText } from '../../commands/fetchText.js';
import { findLastOrderOf } from '../../core/orders/store/sql/placedOrder.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import { findTeam } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import { decodeId } from '../../values/ids.js';
import { commandFixes } from './pageFixes.js';

/** The checks of a page in `doctor`. */
export const pageChecks: CheckPart = {
  async checks({ sql, publicUrl, teamId, pageUrl }) {
    if (pageUrl === undefined) return [];
    // Loaded here with its HTML parser, because no other command needs it.
    const { checkPage } = await import('./checkPage.js');
    return checkPage(pageUrl, {
      fetchText,
      fixes: commandFixes,
      publicUrl,
      teamId,
      domainsOf: async (id) => (sql ? readDomains(sql, id) : undefined),
      lastOrderOf: async (id, host) => {
        const uuid = decodeId('team', id);
        return sql && uuid ? findLastOrderOf(sql, uuid, host) : null;
      },
    });
  },
};

/** Lists a team's domains. Null if the team does not exist. */
async function readDomains(sql: Sql, teamId: string) {
  const uuid = decodeId('team', teamId);
  return uuid && (await findTeam(sql, uuid)) ? [...(await listDomains(sql, uuid))] : null;
}
