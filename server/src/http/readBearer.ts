/** Reads the token of an `Authorization: Bearer …` (RFC 6750, section 2.1); undefined when it is anything else. */
export function readBearer(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}
