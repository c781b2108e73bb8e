/**
 * Parses a URL; null if the text is not a URL. `URL.canParse` of Node 20 cannot be used: after V8 has compiled a caller of it, it
 * refuses texts with an umlaut.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Parses an absolute http or https URL; null for any other text. */
export function parseWebUrl(text: string): URL | null {
  return /^https?:\/\//i.test(text) ? parseUrl(text) : null;
}

/** Writes a URL to which paths can be appended. Not `href`, because that keeps an empty "?" or "#" at its end. */
export function toBaseUrl({ origin, pathname }: URL): string {
  return withoutEndSlashes(origin + pathname);
}

/**
 * Removes the slashes at the end of an address. Tries only the first slash of each run as a start: trying each took 1 s for 30,000.
 */
export function withoutEndSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}
