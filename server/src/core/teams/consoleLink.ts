import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { newAccessToken } from './accessTokens.js';
import { createConsoleLink } from './sql/consoleSession.js';

/** Link that signs in to a team's console once. */
export interface ConsoleLink {
  url: string;
  expiresAt: Date;
}

/** Default lifetime of a link. */
export const consoleLinkMs = 15 * 60_000;

/**
 * Makes a link to a team's console. Its token is in the fragment, which browsers do not send, so no log and no `Referer`
 * has it.
 * @param options.isReadOnly true lets its holder look only
 */
export async function makeConsoleLink(
  sql: Sql,
  {
    publicUrl,
    teamId,
    validMs = consoleLinkMs,
    isReadOnly = false,
  }: { publicUrl: string; teamId: Uuid; validMs?: number; isReadOnly?: boolean },
): Promise<ConsoleLink> {
  const { token, hash } = newAccessToken(teamId, isReadOnly);
  const expiresAt = await createConsoleLink(sql, teamId, { hash, validMs });
  return { url: `${publicUrl}/console/sign-in#${token}`, expiresAt };
}
