/**
 * Headers of every answer: a browser takes a body for no other type than its `Content-Type`, and an answer that
 * is no page can neither load anything nor be framed (OWASP, REST Security Cheat Sheet). Pages set a policy of
 * their own.
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
