import { createHash } from 'node:crypto';

/** Makes the strong entity tag of a body, with its quotes (RFC 9110, section 8.8.3): 27 characters of its SHA-256. */
export function entityTag(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
