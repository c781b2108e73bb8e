import { hash, randomBytes } from 'node:crypto';
import { decodeId, encodeId, type Uuid } from '../values/ids.js';

/** A parsed token: the team, whose rows alone are searched, and the hash that one of them must have. */
export interface ReadToken {
  teamId: Uuid;
  /** SHA-256 of the whole token, in hex. Only this is stored. */
  hash: string;
}

/** Makes a token that opens a team's console: the team's id, a dot, and 256 random bits in base64url. */
export function newAccessToken(teamId: Uuid): ReadToken & { token: string } {
  const token = `${encodeId('team', teamId)}.${randomBytes(32).toString('base64url')}`;
  return { token, teamId, hash: hash('sha256', token) };
}

/** Reads a token; null for a text of another form. Only the database knows whether the token is valid. */
export function readAccessToken(text: string): ReadToken | null {
  const [, team, secret] = /^(\w+)\.([\w-]{43})$/.exec(text) ?? [];
  const teamId = team === undefined ? null : decodeId('team', team);
  return teamId === null || secret === undefined ? null : { teamId, hash: hash('sha256', text) };
}
