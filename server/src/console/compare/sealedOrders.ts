import { createHmac } from 'node:crypto';
import type { MissingOrder } from '../../compare/storeMissing.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { isSameSecret } from '../../values/isSameSecret.js';

/** The session that compares. */
export interface ComparingSession {
  teamId: Uuid;
  hash: string;
}

/** Orders that are missing here, each with its line in the file. */
export interface SealableOrders {
  isTest: boolean;
  orders: { line: number; order: MissingOrder }[];
}

/** Writes orders as a text that a form holds, signed for the session and its team. */
export function sealOrders(secret: string, session: ComparingSession, content: SealableOrders): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${sign(secret, session, text).toString('base64url')}.${text}`;
}

/**
 * Reads what `sealOrders` wrote for the same session.
 * @throws ApiError `invalid_request` for any other text
 */
export function unsealOrders(secret: string, session: ComparingSession, sealed: string): SealableOrders {
  const [signature = '', text = ''] = sealed.split('.', 2);
  if (!isSameSecret(Buffer.from(signature, 'base64url'), sign(secret, session, text)))
    throw new ApiError('invalid_request', { message: 'The form is not complete. Compare the file again.' });
  return JSON.parse(String(Buffer.from(text, 'base64url'))) as SealableOrders;
}

function sign(secret: string, { teamId, hash }: ComparingSession, text: string): Buffer {
  return createHmac('sha256', secret).update(`missing orders ${teamId} ${hash} ${text}`).digest();
}
