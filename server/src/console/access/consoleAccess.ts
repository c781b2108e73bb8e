import { hash, randomBytes } from 'node:crypto';
import type { Sql } from '../../database/connection/connect.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { createConsoleLink } from './consoleSession.js';

/** A parsed token: the team, whose rows alone are searched, and the hash that one of them must have. */
export interface ReadToken {
  teamId: Uuid;
  /** True when it lets its holder look only. The hash covers this, so nobody can change it. */
  isReadOnly: boolean;
  /** SHA-256 of the whole token, in hex. Only this is stored. */
  hash: string;
}

/** A parsed token with its text, which its holder alone has. */
export interface HeldToken extends ReadToken {
  token: string;
}

/**
 * Makes a token that opens a team's console: the team's id, a dot, and 256 random bits in base64url. One for looking only
 * ends in `.view`.
 */
export function newAccessToken(teamId: Uuid, isReadOnly = false): HeldToken {
  const secret = randomBytes(32).toString('base64url');
  const token = `${encodeId('team', teamId)}.${secret}${isReadOnly ? '.view' : ''}`;
  return { token, teamId, isReadOnly, hash: hash('sha256', token) };
}

/** Reads a token; null for a text of another form. Only the database knows whether the token is valid. */
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
