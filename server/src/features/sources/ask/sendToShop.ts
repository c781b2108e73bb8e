import { command } from '../../../values/command.js';
import { createGetText } from '../../../values/getText.js';
import { version } from '../../../values/version.js';
import { pageBytesAtMost, type SendToShop } from './askShop.js';

/** Sentences on faults of the connection to a shop, by code. */
const faults: Record<string, string> = {
  PRIVATE_ADDRESS: `its address is in a private network. If that is right, allow it where the server runs: ${command} source update --team TEAM SOURCE --shop-url URL --api-key-file FILE --allow-private.`,
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

/** Creates the function that sends requests to shops' APIs. */
export function createSendToShop({ answerMs = 15_000 } = {}): SendToShop {
  const getPublic = createGetText('public');
  const getAnywhere = createGetText('anywhere');
  return async function sendToShop({ url, headers, body, allowsPrivate, signal }) {
    const got = await (allowsPrivate ? getAnywhere : getPublic)(url, {
      // Firewalls of shops refuse clients without a name.
      headers: { ...headers, accept: 'application/json', 'user-agent': `Orderbeacon/${version}` },
      body,
      withinMs: answerMs,
      bytesAtMost: pageBytesAtMost,
      signal,
    });
    return 'code' in got ? { error: faults[got.code] ?? `${got.code}.` } : got;
  };
}
