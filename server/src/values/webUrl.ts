/** Parses an absolute http or https URL; null for any other text. */
export function parseWebUrl(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
