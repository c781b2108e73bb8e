import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';

/** How a connection is encrypted, and whom it believes; as libpq's `sslmode`, without `disable`. */
export type TlsMode = 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

const modes: readonly string[] = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Length and code of SSLRequest (PostgreSQL manual, "Message Formats"). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * What the parameters `sslmode`, or `ssl` as postgres.js has it, of a database URL ask for; null for no TLS. Any
 * other value, such as `true`, checks the certificate: what is not understood must not be the weaker.
 */
export function readTlsMode({ searchParams }: URL): TlsMode | null {
  const asked = searchParams.get('sslmode') ?? searchParams.get('ssl');
  if (asked === null || asked === 'disable' || asked === 'false') return null;
  return modes.includes(asked) ? (asked as TlsMode) : 'verify-full';
}

/**
 * Asks PostgreSQL for TLS on a connecting socket. Calls back once, with the socket to go on with: the encrypted one;
 * the plain one where the database has no TLS and the mode does not insist; or, while its event `error` is being
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
    // Emitted again, for what watches the socket only now.
    raw.emit('error', error);
  };
  raw.once('error', failed).once('end', end);
  raw.once('connect', () => raw.write(sslRequest));
  raw.once('data', (data) => {
    const answer = data.toString('latin1');
    const isPlainEnough = answer === 'N' && (mode === 'prefer' || mode === 'allow');
    // More than one letter was not sent by one who knows that TLS begins here (CVE-2021-23222).
    if (answer !== 'S' && !isPlainEnough) return void fail('The database offers no TLS');
    raw.off('error', failed).off('end', end);
    if (isPlainEnough) return onSocket(raw);
    // Its errors are those of the encrypted one, which reports them.
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
