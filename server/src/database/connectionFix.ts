/** The fix of each refusal of a connection, by the code of its error (SQLSTATE, Node or OpenSSL). */
const fixes: [RegExp, string][] = [
  [/^(ECONNREFUSED|ENOENT)$/, 'Start PostgreSQL there, or correct host and port in DATABASE_URL.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'Correct the host in DATABASE_URL.'],
  [
    /^(CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'Let this machine reach it (firewall, list of allowed addresses), or correct host and port in DATABASE_URL.',
  ],
  [/^53300$/, 'Allow it more connections, or end some of the others (see pg_stat_activity).'],
  [/^28P01$/, 'Set the user and the password in DATABASE_URL.'],
  [/^28000$/, 'Allow this user and this machine in pg_hba.conf of that PostgreSQL.'],
  [/^3D000$/, 'Create it (create database … owner …), or name another one in DATABASE_URL.'],
  [
    /^(42704|42602|55P02|08P01)$/,
    'Take this parameter out of DATABASE_URL, or set it for the role: alter role … set ….',
  ],
  [/^22023$/, 'Correct this parameter in DATABASE_URL.'],
  [
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    'Name the file with the certificate of its authority in DATABASE_URL: sslmode=verify-full&sslrootcert=/path/ca.pem.',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Name the host in DATABASE_URL as its certificate does.'],
];

/** Finds the fix for a `DATABASE_URL` that was refused; null where none is known. */
export function findConnectionFix({ code = '', message }: NodeJS.ErrnoException): string | null {
  if (code === '28000' && message.endsWith('no encryption')) return 'Add ?sslmode=require to DATABASE_URL.';
  if (code === '28000' && message.startsWith('role '))
    return 'Name another user in DATABASE_URL, or let this one log in (create role … login).';
  if (message === 'The database is read-only') return 'Start the primary, or promote its standby.';
  return fixes.find(([codes]) => codes.test(code))?.[1] ?? null;
}
