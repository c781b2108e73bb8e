/**
 * What postgres.js and Node call a connection that cannot be had or was lost, and the SQLSTATEs of a server
 * that is stopping, starting or full (PostgreSQL manual, appendix A; class 08 is handled apart).
 */
const away = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  '25006',
  '53100',
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** True when the database could not be reached, went away, or takes nothing now: trying later may work. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return away.has(code) || /^08...$/.test(code);
}

/** True when concurrent transactions got in each other's way and the same statement may work at once. */
export function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40P01' || code === '40001' || code === '23503';
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
