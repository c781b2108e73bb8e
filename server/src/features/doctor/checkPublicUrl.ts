import { connect } from 'node:tls';
import { type Check, fail, pass } from '../../commands/check.js';
import { type Answered, fetchText } from '../../commands/fetchText.js';
import { isLoopbackHost } from '../../values/addresses.js';
import type { GetFailure } from '../../values/getText.js';
import { dayMs } from '../../values/time.js';

/** Minimum validity. Renewal by ACME begins 30 days before the end, so two weeks before it many attempts have failed. */
const daysAtLeast = 14;
const handshakeMs = 10_000;

/** Checks how browsers reach the server: the public URL, TLS and the proxies in front of it. */
export async function checkPublicUrl(publicUrl: string): Promise<Check[]> {
  const answer = await fetchText(`${publicUrl}/healthz`);
  const tls = await checkTls(publicUrl, answer);
  const reach = (await checkScheme(publicUrl, answer)) ?? checkReach(publicUrl, answer);
  return reach.ok ? [reach, tls, await checkProxies(publicUrl)] : [reach, tls];
}

/** Finds a port that speaks TLS behind a public URL with `http:`; null for any other. */
async function checkScheme(publicUrl: string, answer: Answered | GetFailure): Promise<Check | null> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'http:' || !('code' in answer)) return null;
  if ((await expiryOf(hostname.replace(/^\[|\]$/g, ''), Number(port || 80))) === null) return null;
  const message = `${publicUrl} cannot be reached: its port speaks TLS, and the URL begins with http:.`;
  return fail('public URL', message, `Set PUBLIC_URL to ${publicUrl.replace('http:', 'https:')}.`);
}

function checkReach(publicUrl: string, answer: Answered | GetFailure): Check {
  if ('code' in answer) {
    const fix =
      'Is the server running, and is PUBLIC_URL its address? Try it from outside too, because names and firewalls differ there.';
    return fail('public URL', `${publicUrl} cannot be reached: ${answer.code}.`, fix);
  }
  if (dataOf(answer)?.status === 'ok') return pass('public URL', `${publicUrl} answers as Orderbeacon.`);
  return fail(
    'public URL',
    `${publicUrl}/healthz answers ${answer.status}, but not as Orderbeacon does.`,
    'Something else answers there. Check PUBLIC_URL, and where the proxy sends requests.',
  );
}

async function checkTls(publicUrl: string, answer: Answered | GetFailure): Promise<Check> {
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
  const isCertificateRefused = 'code' in answer && /CERT|SIGNATURE|TLS_|ISSUER/.test(answer.code);
  if (isCertificateRefused) {
    return fail(
      'TLS',
      `Browsers refuse the certificate: ${answer.code}.`,
      `Get one for ${host} (Caddy does so automatically).`,
    );
  }
  return judgeExpiry(await expiryOf(host, Number(port || 443)), Date.now());
}

/** Judges a certificate by its end. @param validToMs null when no certificate could be read */
export function judgeExpiry(validToMs: number | null, nowMs: number): Check {
  if (validToMs === null)
    return fail('TLS', 'The certificate could not be read.', 'Find out why the public URL does not answer.');
  const days = Math.floor((validToMs - nowMs) / dayMs);
  const message = `The certificate is valid for ${days} more days.`;
  return days >= daysAtLeast
    ? pass('TLS', message)
    : fail('TLS', message, 'Renew it, and find out why that did not happen automatically.');
}

function expiryOf(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const finish = (validToMs: number | null) => {
      socket.destroy();
      resolve(validToMs);
    };
    // An IP address is not a server name (RFC 6066, section 3).
    const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    // Whether browsers trust it is another check.
    const options = { host, port, ...servername, timeout: handshakeMs, rejectUnauthorized: false };
    const socket = connect(options, () => finish(Date.parse(socket.getPeerCertificate().valid_to)));
    socket.once('error', () => finish(null));
    socket.once('timeout', () => finish(null));
  });
}

async function checkProxies(publicUrl: string): Promise<Check> {
  const answer = await fetchText(`${publicUrl}/healthz/proxies`);
  const { seen, trusted } = (('status' in answer && dataOf(answer)) || {}) as {
    seen?: number;
    trusted?: number;
  };
  if (seen === undefined || trusted === undefined) {
    return fail(
      'proxies',
      'The server does not say how many proxies it sees.',
      'Start the server of this release.',
    );
  }
  // This server speaks no TLS itself.
  if (seen === 0 && publicUrl.startsWith('https:')) {
    return fail(
      'proxies',
      'The proxy with TLS sends no X-Forwarded-For: all buyers count as its one address and share its rate limit.',
      'Let it send the header. guides/proxy.md has the lines for nginx and Caddy.',
    );
  }
  const setting = `ORDERBEACON_TRUST_PROXY is ${trusted}`;
  if (seen === trusted) return pass('proxies', `${seen} in front of the server, and ${setting}.`);
  const effect =
    seen > trusted
      ? 'all buyers count as the proxy’s one address and share its rate limit'
      : 'anyone can claim any address and avoid the rate limit';
  return fail(
    'proxies',
    `${seen} in front of the server, but ${setting}: ${effect}.`,
    `Set ORDERBEACON_TRUST_PROXY=${seen}, if all of these are yours.`,
  );
}

/** Reads the data of Orderbeacon's answer; undefined for any other answer. */
function dataOf({ text }: Answered): Record<string, unknown> | undefined {
  try {
    const body = JSON.parse(text);
    return body?.success === true && typeof body.data === 'object' ? body.data : undefined;
  } catch {
    return undefined;
  }
}
