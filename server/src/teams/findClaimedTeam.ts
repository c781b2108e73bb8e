import type { Exchange } from '../http/exchange.js';
import { decodeId, type Uuid } from '../values/ids.js';
import type { SenderCache } from './senderCache.js';

/**
 * The team that a refused report is for: the key's, or the one that the body names, if it exists. Asked once a request.
 * @param mayAsk false: a team that this server has not seen yet is not looked for, and counts as none
 * @throws when the database could not be asked
 */
export async function findClaimedTeam(
  c: Exchange,
  { isKnownTeam, isTeam }: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>,
  mayAsk: boolean,
): Promise<Uuid | null> {
  const known = c.get('foundTeam');
  if (known !== undefined) return known;
  const key = c.get('key');
  if (key) return key.teamId;
  const claimed = c.get('claimedTeam');
  const teamId = typeof claimed === 'string' ? decodeId('team', claimed) : null;
  if (teamId === null) return null;
  const isThere = isKnownTeam(teamId) || (mayAsk && (await isTeam(teamId)));
  const found = isThere ? teamId : null;
  if (mayAsk) c.set('foundTeam', found);
  return found;
}
