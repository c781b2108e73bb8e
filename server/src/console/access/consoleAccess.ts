import { hash, randomBytes } from 'node:crypto';
import type { Sql } from '../../database/connection/connect.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { createConsoleLink } from './consoleSession.js';

/** A parsed token. The session or link is searched among the team's rows, by the hash. */
export interface ReadToken {
  teamId: Uuid;
  /** Set if the token only gives access to look. The hash covers this, so nobody can change it. */
  isReadOnly: boolean;
  /** SHA-256 of the whole token, in hex. Only this is stored. */
  hash: string;
}

/** A parsed token with its text, which only its holder has. */
export interface HeldToken extends ReadToken {
  token: string;
}

/**
 * Makes a token that opens a team's console: the team's id, a dot, and 256 random bits in base64url. A token for view-only
 * access ends in `.view`.
 */
export function newAccessToken(teamId: Uuid, isReadOnly = false): HeldToken {
  const secret = randomBytes(32).toString('base64url');
  const token = `${encodeId('team', teamId)}.${secret}${isReadOnly ? '.view' : ''}`;
  return { token, teamId, isReadOnly, hash: hash('sha256', token) };
}

/** Parses a token; null if the text has another form. Only the database knows if the token is valid. */
export function readAccessToken(text: string): ReadToken | null {
  const [, team, secret, view] = /^(\w+)\.([\w-]{43})(\.view)?$/.exec(text) ?? [];
  const teamId = team === undefined ? null : decodeId('team', team);
  if (teamId === null || secret === undefined) return null;
  return { teamId, isReadOnly: view !== undefined, hash: hash('sha256', text) };
}

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
 * @param options.isReadOnly set for view-only access
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
