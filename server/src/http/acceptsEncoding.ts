/** The compressions that answers are kept in. */
export type Encoding = 'br' | 'gzip';

const wanted = { br: /\bbr\b(?!;q=0(?![.\d]))/, gzip: /\bgzip\b(?!;q=0(?![.\d]))/ };

/** Whether an `Accept-Encoding` (RFC 9110, section 12.5.3) names the encoding, and not only to rule it out. */
export function acceptsEncoding(header: string | undefined, encoding: Encoding): boolean {
  return header !== undefined && wanted[encoding].test(header);
}
