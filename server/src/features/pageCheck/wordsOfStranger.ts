/**
 * Describes how an address differs from the addresses of the server and the page, which are the only ones that are
 * requested. Null if it is one of them.
 */
export function wordsOfStranger(url: string, pageUrl: string, publicUrl: string | null): string | null {
  const { origin } = new URL(url);
  const own = [publicUrl ?? pageUrl, pageUrl].map((each) => new URL(each).origin);
  if (own.includes(origin)) return null;
  const known =
    publicUrl === null ? 'the server’s address is not known here' : `the server’s address is ${publicUrl}`;
  return `${origin}, but ${known}`;
}
