import { parseUrl } from './parseUrl.js';

/** Parses an absolute http or https URL; null for any other text. */
export function parseWebUrl(text: string): URL | null {
  return /^https?:\/\//i.test(text) ? parseUrl(text) : null;
}
