import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Makes the signing secret of a hook: `whsec_` and the base64 of 32 random bytes, as Standard Webhooks specify. */
export function newHookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Headers by which a receiver verifies a request (standardwebhooks.com, specification 1.0.0). */
export interface SignedHeaders {
  /** Id of the delivery, the same for all of its attempts. */
  'webhook-id': string;
  /** Time of the attempt, in seconds since 1970. */
  'webhook-timestamp': string;
  /** `v1,` and the base64 of the HMAC-SHA256. */
  'webhook-signature': string;
}

/**
 * Signs a request to a hook.
 * @param secret from `newHookSecret`
 * @param id of the delivery, `msg_…`
 * @param atMs time of the attempt
 * @param body as it is sent
 */
export function signHook(secret: string, id: string, atMs: number, body: string): SignedHeaders {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
