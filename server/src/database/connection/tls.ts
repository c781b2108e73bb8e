import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from '../../values/errors.js';

/** Encryption of a connection, as postgres.js takes it. `prefer` uses TLS only if the database has it. */
export type Tls = false | 'prefer' | ConnectionOptions;

/** The parameters of a database URL that are read here, as libpq, Prisma and node-postgres name them. */
export const tlsParameters = [
  ...['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'channel_binding'],
  ...['ssl_min_protocol_version', 'sslaccept', 'sslidentity'],
] as const;

/**
 * Reads the TLS parameters of a database URL, as libpq does: with an authority, `require` checks the certificate. An unknown mode,
 * such as `true`, checks the certificate and its host, because an unknown value must not weaken the connection. So does
 * `channel_binding=require`, which demands that the server proves its identity.
 * @throws ConfigError if a file cannot be read
 */
export function readTls({ searchParams }: URL): Tls {
  const given = Object.fromEntries(tlsParameters.map((name) => [name, searchParams.get(name)])) as {
    [name in (typeof tlsParameters)[number]]: string | null;
  };
  // Prisma uses `sslcert` for the authority's certificate, libpq for the client's, together with its key.
  const file = given.sslrootcert ?? (given.sslkey ? null : given.sslcert);
  const ca = file && file !== 'system' ? { ca: readFile('sslrootcert', file) } : {};
  const mode = modeOf(given, file !== null);
  if (mode === 'disable' || mode === 'false') return false;
  if (mode === 'prefer' || mode === 'allow') return 'prefer';
  const options: ConnectionOptions = {
    ...ca,
    ...(given.sslkey && given.sslcert && { cert: readFile('sslcert', given.sslcert) }),
    ...(given.sslkey && { key: readFile('sslkey', given.sslkey) }),
    ...(given.sslidentity && { pfx: readFile('sslidentity', given.sslidentity) }),
    ...(given.sslpassword && { passphrase: given.sslpassword }),
    ...(given.ssl_min_protocol_version === 'TLSv1.3' && { minVersion: 'TLSv1.3' }),
  };
  if (mode === 'no-verify' || (mode === 'require' && !('ca' in ca)))
    return { ...options, rejectUnauthorized: false };
  const isOfAnyHost = mode === 'require' || mode === 'verify-ca';
  return {
    ...options,
    rejectUnauthorized: true,
    ...(isOfAnyHost && { checkServerIdentity: () => undefined }),
  };
}

function modeOf(
  given: {
    sslmode: string | null;
    ssl: string | null;
    sslaccept: string | null;
    channel_binding: string | null;
  },
  hasAuthority: boolean,
): string {
  const mode = (given.sslmode ?? given.ssl ?? (hasAuthority ? 'verify-full' : 'disable')).toLowerCase();
  if (given.channel_binding === 'require' || given.sslaccept === 'strict') return 'verify-full';
  return given.sslaccept === 'accept_invalid_certs' && mode !== 'disable' ? 'no-verify' : mode;
}

function readFile(parameter: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${parameter} in DATABASE_URL is "${file}", which cannot be read: ${code}.`);
  }
}
