/** Reads the token of an `Authorization: Bearer …` (RFC 6750, section 2.1); undefined for any other text. */
export function readBearer(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}
