/** Sentences on errors, by a code of Node, OpenSSL or this folder. */
const sentences: Record<string, string> = {
  PRIVATE_ADDRESS: 'The host leads to a private address only, which this hook may not call.',
  NO_ANSWER: 'No answer within 15 s.',
  NO_CONNECTION: 'No connection within 15 s.',
  TOO_LONG: 'The receiver sent over 64 KiB, or hundreds of single bytes, before its answer.',
  OTHER_PROTOCOL: 'The receiver answered 101: it wants to go on in another protocol than HTTP.',
  ABORT_ERR: 'The server stopped before the answer came.',
  ENOTFOUND: 'The host has no address in DNS.',
  ESERVFAIL: 'The name server of the host fails.',
  EREFUSED: 'The name server of the host refuses to answer.',
  ETIMEOUT: 'The name server of the host does not answer.',
  ECONNREFUSED: 'The host refuses connections on this port.',
  ECONNRESET: 'The receiver closed the connection before it answered.',
  ETIMEDOUT: 'The host does not accept connections.',
  EACCES: 'This server’s own firewall lets no connection to the host pass.',
  EHOSTUNREACH: 'The host cannot be reached from this server.',
  ENETUNREACH: 'The network of the host cannot be reached from this server.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  CERT_REVOKED: 'The TLS certificate was revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate is from an authority that this server does not trust.',
  UNABLE_TO_GET_ISSUER_CERT:
    'The TLS certificate is from an authority that this server does not trust, or the receiver does not send its intermediate certificate.',
  NO_TLS: 'The port does not speak TLS.',
};

const aliases: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'TOO_LONG',
  HPE_INVALID_EOF_STATE: 'ECONNRESET',
  EPIPE: 'ECONNRESET',
  ENODATA: 'ENOTFOUND',
  EPERM: 'EACCES',
  EHOSTDOWN: 'EHOSTUNREACH',
  ENETDOWN: 'ENETUNREACH',
  EAI_AGAIN: 'ETIMEOUT',
  EBADRESP: 'ESERVFAIL',
  EFORMERR: 'ESERVFAIL',
  ENOTIMP: 'EREFUSED',
  'wrong version number': 'NO_TLS',
  'packet length too long': 'NO_TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'NO_TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'NO_TLS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'UNABLE_TO_GET_ISSUER_CERT',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'UNABLE_TO_GET_ISSUER_CERT',
};

/** Describes why a request got no answer, in a sentence for the hook's owner. */
export function describeFailure(error: {
  code?: string | undefined;
  message?: string;
  syscall?: string | undefined;
}): string {
  const { code = '', message = '', syscall = '' } = error;
  // The name server itself refuses connections.
  if (code === 'ECONNREFUSED' && syscall.startsWith('query')) return sentences.ETIMEOUT!;
  // In Node 20, only the message has OpenSSL's reason: `…:SSL routines:ssl3_get_record:wrong version number:…`.
  const reason = /:SSL routines:\w*:([^:]+)/.exec(message)?.[1];
  const cause = reason ?? code;
  const sentence = sentences[aliases[cause] ?? cause];
  if (sentence) return sentence;
  if (code.startsWith('HPE_')) return 'The answer is not HTTP.';
  if (reason || /^ERR_(?:SSL|TLS)|CERT/.test(code)) return `The TLS handshake failed (${cause}).`;
  return `The request failed (${code || message}).`;
}

/** @returns true for 2xx */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Describes a status that is not a success; null for 2xx.
 * @param location header of a redirect. The lenient parser of `postOn` may have left a NUL in it.
 */
export function describeStatus(status: number, location: string | undefined): string | null {
  if (isSuccess(status)) return null;
  if (status >= 300 && status < 400 && location)
    // PostgreSQL stores no NUL.
    return `Redirects are not followed. The receiver names ${location.slice(0, 500).replaceAll('\0', '\uFFFD')}.`;
  if (status === 410) return 'The receiver answered 410: it wants no more requests.';
  return `The receiver answered ${status}.`;
}
