import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from '../../values/errors.js';

/** Encryption of a connection, as postgres.js takes it: for `prefer` only where the database has TLS. */
export type Tls =
  | false
  | 'prefer'
  | Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized' | 'checkServerIdentity'>;

/**
 * Reads the parameters `sslmode` (or `ssl`, its name in postgres.js) and `sslrootcert` of a database URL, as libpq does:
 * with an authority, `require` checks the certificate. Any unknown mode, such as `true`, checks it and its host: a value
 * that is not understood must not weaken the connection. Throws `ConfigError` when the file of the authority cannot be
 * read.
 */
export function readTls({ searchParams }: URL): Tls {
  const file = searchParams.get('sslrootcert');
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? (file ? 'verify-full' : 'disable');
  if (mode === 'disable' || mode === 'false') return false;
  if (mode === 'prefer' || mode === 'allow') return 'prefer';
  const ca = file && file !== 'system' ? { ca: readAuthority(file) } : {};
  if (mode === 'require' && !('ca' in ca)) return { rejectUnauthorized: false };
  const isOfAnyHost = mode === 'require' || mode === 'verify-ca';
  return { ...ca, rejectUnauthorized: true, ...(isOfAnyHost && { checkServerIdentity: () => undefined }) };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`sslrootcert in DATABASE_URL is "${file}", which cannot be read: ${code}.`);
  }
}
