import { type Check, fail, pass } from '../../commands/check.js';
import { type Answered, fetchText } from '../../commands/fetchText.js';
import { dataOf, judgeProxies, readProxies } from '../../commands/judgeProxies.js';
import type { GetFailure } from '../../values/getText.js';
import { checkTls, expiryOf, isCertificateRefused } from './checkTls.js';

/**
 * Checks how browsers reach the server: the public URL, TLS and the proxies in front of it.
 * @param installation the id of the database's installation; undefined if it is unknown
 */
export async function checkPublicUrl(publicUrl: string, installation?: string): Promise<Check[]> {
  const answer = await fetchText(`${publicUrl}/healthz`);
  const tls = await checkTls(publicUrl, answer);
  const reach = (await checkScheme(publicUrl, answer)) ?? checkReach(publicUrl, answer);
  if (!reach.ok) return [reach, tls];
  const proxies = await fetchText(`${publicUrl}/healthz/proxies`);
  const stranger = installation && checkInstallation(publicUrl, proxies, installation);
  return [stranger || reach, tls, checkProxies(publicUrl, proxies)];
}

/** Finds out if the port of a public URL with `http:` uses TLS; null if it does not. */
async function checkScheme(publicUrl: string, answer: Answered | GetFailure): Promise<Check | null> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'http:' || isOk(answer)) return null;
  if ((await expiryOf(hostname.replace(/^\[|\]$/g, ''), Number(port || 80))) === null) return null;
  const message = `${publicUrl} cannot be reached: its port speaks TLS, and the URL begins with http:.`;
  return fail('public URL', message, `Set PUBLIC_URL to ${publicUrl.replace('http:', 'https:')}.`);
}

const isOk = (answer: Answered | GetFailure): boolean =>
  'status' in answer && dataOf(answer)?.status === 'ok';

function checkReach(publicUrl: string, answer: Answered | GetFailure): Check {
  if ('code' in answer) {
    if (isCertificateRefused(answer)) {
      const message = `${publicUrl} answers, with a certificate that this machine does not trust.`;
      return fail('public URL', message, 'See the check TLS.');
    }
    const fix =
      'Is the server running, and is PUBLIC_URL its address? Try it from outside too, because names and firewalls differ there.';
    return fail('public URL', `${publicUrl} cannot be reached: ${answer.code}.`, fix);
  }
  if (isOk(answer)) return pass('public URL', `${publicUrl} answers as Orderbeacon.`);
  return fail(
    'public URL',
    `${publicUrl}/healthz answers ${answer.status}, but not as Orderbeacon does.`,
    'Something else answers there. Check PUBLIC_URL, and where the proxy sends requests.',
  );
}

/** Finds out if a server of another database answers; null if it is one of this database, or of an older release. */
function checkInstallation(
  publicUrl: string,
  answer: Answered | GetFailure,
  installation: string,
): Check | null {
  const found = 'status' in answer ? dataOf(answer)?.installation : undefined;
  if (found === undefined || found === installation) return null;
  return fail(
    'public URL',
    `Another installation of Orderbeacon answers at ${publicUrl}: its orders are in another database than the one above.`,
    'Set PUBLIC_URL to this server’s address, or give this command the settings of that server (ORDERBEACON_ENV_FILE).',
  );
}

function checkProxies(publicUrl: string, answer: Answered | GetFailure): Check {
  const found = readProxies(answer);
  if (found === null) {
    return fail(
      'proxies',
      'The server does not say how many proxies it sees.',
      'Start the server of this release.',
    );
  }
  // This server itself has no TLS, so there is a proxy.
  if (found.seen === 0 && publicUrl.startsWith('https:')) {
    return fail(
      'proxies',
      'The proxy with TLS sends no X-Forwarded-For: all buyers count as its one address and share its rate limit.',
      'Let it send the header. guides/proxy.md has the lines for nginx and Caddy.',
    );
  }
  return judgeProxies('proxies', found);
}
