import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { ConfigError } from '../../values/errors.js';

/** Modes of encryption and of the certificate check: those of libpq's `sslmode`, without `disable`. */
type TlsMode = 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** Encryption of a connection. */
export interface Tls {
  mode: TlsMode;
  /** Certificate of the authority to trust, in PEM, in place of those that Node trusts; undefined for those. */
  authority: string | undefined;
}

const modes: readonly string[] = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Length and code of SSLRequest (PostgreSQL manual, "Message Formats"). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Reads the parameters `sslmode` (or `ssl`, its name in postgres.js) and `sslrootcert` of a database URL, and removes
 * the latter, which postgres.js would send to PostgreSQL; null for no TLS. With an authority, `require` checks the
 * certificate, as in libpq. Any unknown mode, such as `true`, does so too: a value that is not understood must not weaken
 * the connection. Throws `ConfigError` when the file of the authority cannot be read.
 */
export function takeTls({ searchParams }: URL): Tls | null {
  const file = searchParams.get('sslrootcert');
  searchParams.delete('sslrootcert');
  const asked = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? (file ? 'verify-full' : 'disable');
  if (asked === 'disable' || asked === 'false') return null;
  const authority = file && file !== 'system' ? readAuthority(file) : undefined;
  if (authority !== undefined && asked === 'require') return { mode: 'verify-ca', authority };
  return { mode: modes.includes(asked) ? (asked as TlsMode) : 'verify-full', authority };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`sslrootcert in DATABASE_URL is "${file}", which cannot be read: ${code}.`);
  }
}

/**
 * Asks PostgreSQL for TLS on a connecting socket. Calls back once, with the socket to continue on: the encrypted one;
 * the plain one if the database has no TLS and the mode does not require it; or, while its event `error` is being
 * emitted, the one that failed.
 */
export function beginTls(
  raw: Socket,
  { host, mode, authority }: Tls & { host: string },
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
        // The name that the certificate is checked for; without it Node checks an address for `localhost`.
        host,
        ca: authority,
        ...(isIP(host) ? {} : { servername: host }),
        rejectUnauthorized: mode.startsWith('verify'),
        ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
      }),
    );
  });
}
