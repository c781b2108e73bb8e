/** Header of every answer: a browser takes a body for no other type than its `Content-Type`. */
export const noGuessing = { 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * Header of every body that is not JSON: what is no page can neither load anything nor be framed (OWASP, REST Security
 * Cheat Sheet). Pages set a policy of their own. No browser renders JSON, and an order pays for each header.
 */
export const noLoading = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" } as const;
