import { createHmac } from 'node:crypto';
import { addSource } from '../../../../src/features/sources/setup/addSource.js';
import { type ShopSource, type SourceKind, sourcePath } from '../../../../src/features/sources/source.js';
import { encodeId } from '../../../../src/values/ids.js';
import type { Answer, TestServer } from '../../../kit/server.js';

/** Functions that make the headers of a signed event, as each provider sends them. */
export const signers: Record<
  SourceKind,
  (body: string | Buffer, secret: string, topic: string) => Record<string, string>
> = {
  stripe(body, secret) {
    const t = Math.floor(Date.now() / 1000);
    return {
      'stripe-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`,
    };
  },
  shopify: (body, secret, topic) => ({
    'x-shopify-topic': topic,
    'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
  woocommerce: (body, secret, topic) => ({
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
};

/** A source of a team, with functions that send its events. */
export interface TestSource extends ShopSource {
  /** Its id, as commands write it. */
  shownId: string;
  path: string;
  /** Sends a signed event: a payload, or a body as it is. */
  say(payload: unknown, topic?: string): Promise<Answer>;
  /** Sends a body with any headers. */
  post(body: string | Buffer, headers: Record<string, string>): Promise<Answer>;
}

/** Adds a source to a team of a test server. */
export async function addTestSource(
  server: Pick<TestServer, 'send' | 'sql'>,
  teamUuid: string,
  given: { kind: SourceKind; isTest?: boolean; secret?: string | null; orderIdPrefix?: string },
): Promise<TestSource> {
  const { kind, isTest = false, secret = 'whsec_of_a_test', orderIdPrefix = '' } = given;
  const source = (await addSource(server.sql, teamUuid, { kind, isTest, secret, orderIdPrefix }))!;
  const path = sourcePath(source);
  const post = (body: string | Buffer, headers: Record<string, string>) =>
    server.send('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body });
  return {
    ...source,
    shownId: encodeId('src', source.id),
    path,
    post,
    say(payload, topic = '') {
      const isBody = typeof payload === 'string' || Buffer.isBuffer(payload);
      const body = isBody ? payload : JSON.stringify(payload);
      return post(body, signers[kind](body, secret ?? '', topic));
    },
  };
}
