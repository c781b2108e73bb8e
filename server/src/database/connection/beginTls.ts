import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';

/** Modes of encryption and of the certificate check: those of libpq's `sslmode`, without `disable`. */
export type TlsMode = 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

const modes: readonly string[] = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Length and code of SSLRequest (PostgreSQL manual, "Message Formats"). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Reads the parameter `sslmode` of a database URL, or `ssl`, its name in postgres.js; null for no TLS. Any unknown
 * value, such as `true`, checks the certificate: a value that is not understood must not weaken the connection.
 */
export function readTlsMode({ searchParams }: URL): TlsMode | null {
  const asked = searchParams.get('sslmode') ?? searchParams.get('ssl');
  if (asked === null || asked === 'disable' || asked === 'false') return null;
  return modes.includes(asked) ? (asked as TlsMode) : 'verify-full';
}

/**
 * Asks PostgreSQL for TLS on a connecting socket. Calls back once, with the socket to continue on: the encrypted one;
 * the plain one if the database has no TLS and the mode does not require it; or, while its event `error` is being
 * emitted, the one that failed.
 */
export function beginTls(
  raw: Socket,
  { host, mode }: { host: string; mode: TlsMode },
  onSocket: (socket: Socket) => void,
): void {
  const fail = (message: string) => raw.destroy(Object.assign(new Error(message), { code: 'ECONNREFUSED' }));
  const end = () => fail('The database closed the connection when asked for TLS');
  const failed = (error: Error) => {
    raw.on('error', () => {});
    onSocket(raw);
    // The callback may have added listeners, and they need the error too.
    raw.emit('error', error);
  };
  raw.once('error', failed).once('end', end);
  raw.once('connect', () => raw.write(sslRequest));
  raw.once('data', (data) => {
    const answer = data.toString('latin1');
    const isPlainEnough = answer === 'N' && (mode === 'prefer' || mode === 'allow');
    // More than one letter is an injection: the server sends nothing else before TLS (CVE-2021-23222).
    if (answer !== 'S' && !isPlainEnough) return void fail('The database offers no TLS');
    raw.off('error', failed).off('end', end);
    if (isPlainEnough) return onSocket(raw);
    // The encrypted socket reports the errors of the raw one.
    raw.on('error', () => {});
    onSocket(
      connect({
        socket: raw,
        ...(isIP(host) ? {} : { servername: host }),
        rejectUnauthorized: mode.startsWith('verify'),
        ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
      }),
    );
  });
}
