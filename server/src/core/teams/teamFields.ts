import { limits } from '../../values/limits.js';
import { isStorable } from '../../values/text.js';
import { parseWebUrl, toBaseUrl } from '../../values/url.js';

/** The rule for a team's name, to follow "must be". */
export const nameRule = `1 to ${limits.text} characters`;

/** Trims the name of a team; null if it is empty, too long or cannot be stored. */
export function readTeamName(text: string): string | null {
  const name = text.trim();
  return name === '' || name.length > limits.text || !isStorable(name) ? null : name;
}

/** The rule for a storefront's address, to follow "must be". */
export const storefrontRule = 'an http or https URL without user name and query';

/** Reads the address of a storefront, without a trailing slash; null if the text is no such address. */
export function readStorefrontUrl(text: string): string | null {
  const url = parseWebUrl(text);
  return !url || url.search || url.hash || url.username || url.password ? null : toBaseUrl(url);
}
