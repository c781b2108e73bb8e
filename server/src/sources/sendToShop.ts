import { Agent, request } from 'undici';
import { isPrivateName, lookupBy, publicOnly } from '../values/publicLookup.js';
import { version } from '../values/version.js';
import { pageBytesAtMost, type SendToShop } from './askShop.js';

const isPrivate =
  'its address is in a private network. If that is right, allow it where the server runs: orderbeacon source update … --allow-private.';

/** Sentences for what goes wrong between here and a shop, by code. */
const faults: Record<string, string> = {
  PRIVATE_ADDRESS: isPrivate,
  ENOTFOUND: 'its host name has no address; check the shop’s address.',
  ENODATA: 'its host name has no address; check the shop’s address.',
  ETIMEOUT: 'the name servers did not answer.',
  ECONNREFUSED: 'nothing listens at its address.',
  EHOSTUNREACH: 'its address cannot be reached from here.',
  ENETUNREACH: 'its address cannot be reached from here.',
  ECONNRESET: 'it cut the connection.',
  UND_ERR_SOCKET: 'it cut the connection.',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept a connection in time.',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are longer than 16 KiB.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody known has signed its certificate.',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody known has signed its certificate.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without the chain that it needs.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is that of another host.',
};

/** Makes the function that sends a request to a shop's API. */
export function createSendToShop({ answerMs = 15_000 } = {}): SendToShop {
  const publicOnes = new Agent({ connect: { lookup: lookupBy(publicOnly()), autoSelectFamily: true } });
  const privateOnes = new Agent();
  return async function sendToShop({ url, headers, allowsPrivate, signal }) {
    if (!allowsPrivate && isPrivateName(new URL(url))) return { error: isPrivate };
    const late = AbortSignal.timeout(answerMs);
    try {
      const answer = await request(url, {
        dispatcher: allowsPrivate ? privateOnes : publicOnes,
        // Firewalls of shops refuse programs without a name.
        headers: { ...headers, accept: 'application/json', 'user-agent': `Orderbeacon/${version}` },
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > pageBytesAtMost)
          return { error: `the page has more than ${pageBytesAtMost / 1_048_576} MiB.` };
        chunks.push(chunk);
      }
      return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
    } catch (error) {
      if (late.aborted) return { error: `no answer within ${answerMs / 1_000} s.` };
      const { code = 'it failed' } = error as NodeJS.ErrnoException;
      return { error: faults[code] ?? `${code}.` };
    }
  };
}
