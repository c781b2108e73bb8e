import { connect } from 'node:tls';
import { type Check, fail, pass } from '../../commands/check.js';
import type { Answered } from '../../commands/fetchText.js';
import { isLoopbackHost } from '../../values/addresses.js';
import type { GetFailure } from '../../values/getText.js';
import { dayMs } from '../../values/time.js';

/** Least validity. Renewal by ACME begins 30 days before the end, so two weeks before it, many attempts have failed. */
const daysAtLeast = 14;
const handshakeMs = 10_000;

/**
 * Checks that browsers trust the certificate of a public URL. @param answer the answer to a request to it, or its
 * failure
 */
export async function checkTls(publicUrl: string, answer: Answered | GetFailure): Promise<Check> {
  const { protocol, hostname, port } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') {
    if (isLoopbackHost(hostname)) return pass('TLS', 'Plain http, on this machine.');
    return fail(
      'TLS',
      'Plain http: pages on https cannot load the script, and emails are sent unencrypted.',
      'Put a proxy with TLS in front. guides/proxy.md has snippets for nginx and Caddy.',
    );
  }
  if ('code' in answer && answer.code.startsWith('ERR_SSL_')) {
    return fail(
      'TLS',
      `What answers at ${host}:${port || 443} speaks no TLS for this name: ${answer.code}.`,
      'Put a proxy with TLS in front; guides/proxy.md has snippets for nginx and Caddy. Without one PUBLIC_URL begins with http:.',
    );
  }
  if ('code' in answer && isCertificateRefused(answer))
    return fail('TLS', ...describeRefused(host, answer.code));
  return judgeExpiry(await expiryOf(host, Number(port || 443)), Date.now());
}

/** @returns true if a request failed because this machine does not trust the certificate */
export function isCertificateRefused({ code }: GetFailure): boolean {
  return /CERT|SIGNATURE|TLS_|ISSUER/.test(code);
}

/** Codes of OpenSSL for a certificate whose authority it does not know. */
const unknownAuthority = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Describes why a certificate is refused, and what to do. */
function describeRefused(host: string, code: string): [message: string, fix: string] {
  const get = `Get one for ${host} (Caddy does so automatically).`;
  if (!unknownAuthority.test(code)) return [`Browsers refuse the certificate: ${code}.`, get];
  const ofOwn =
    'If your own authority has signed it, give this command NODE_EXTRA_CA_CERTS=/path/ca.pem; every browser has to know it, too.';
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') {
    return [
      `The proxy sends its certificate alone, and not the chain from it to an authority: many browsers refuse it (${code}).`,
      `Let it send the whole chain: in nginx ssl_certificate names fullchain.pem, and not cert.pem. ${ofOwn}`,
    ];
  }
  return [`No authority that browsers know has signed the certificate: ${code}.`, `${get} ${ofOwn}`];
}

/** Checks the end of a certificate's validity. @param validToMs null if no certificate could be read */
export function judgeExpiry(validToMs: number | null, nowMs: number): Check {
  if (validToMs === null)
    return fail('TLS', 'The certificate could not be read.', 'Find out why the public URL does not answer.');
  const days = Math.floor((validToMs - nowMs) / dayMs);
  const message = `The certificate is valid for ${days} more days.`;
  return days >= daysAtLeast
    ? pass('TLS', message)
    : fail('TLS', message, 'Renew it, and find out why that did not happen automatically.');
}

/** Reads when the certificate of a port expires; null if it cannot be read. */
export function expiryOf(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const finish = (validToMs: number | null) => {
      socket.destroy();
      resolve(validToMs);
    };
    // An IP address is not a server name (RFC 6066, section 3).
    const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    // Another check finds out if browsers trust it.
    const options = { host, port, ...servername, timeout: handshakeMs, rejectUnauthorized: false };
    const socket = connect(options, () => finish(Date.parse(socket.getPeerCertificate().valid_to)));
    socket.once('error', () => finish(null));
    socket.once('timeout', () => finish(null));
  });
}
