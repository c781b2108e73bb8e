import { limits } from '../../values/limits.js';
import { isStorable } from '../../values/text.js';
import { parseWebUrl, toBaseUrl } from '../../values/url.js';

/** What a team's name has to be, behind "must be". */
export const nameRule = `1 to ${limits.text} characters`;

/** Trims the name of a team; null for one that is empty, too long or cannot be stored. */
export function readTeamName(text: string): string | null {
  const name = text.trim();
  return name === '' || name.length > limits.text || !isStorable(name) ? null : name;
}

/** What a storefront's address has to be, behind "must be". */
export const storefrontRule = 'an http or https URL without user name and query';

/** Reads the address of a storefront, without a slash at its end; null for a text that is none. */
export function readStorefrontUrl(text: string): string | null {
  const url = parseWebUrl(text);
  return !url || url.search || url.hash || url.username || url.password ? null : toBaseUrl(url);
}
