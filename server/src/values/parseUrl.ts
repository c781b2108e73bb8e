/**
 * Parses a URL; null for a text that is none. `URL.canParse` of Node 20 cannot be used: once V8 has compiled a caller of
 * it, it refuses texts with an umlaut.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
