import type { BrowserApis } from './browser';

/**
 * Matches the parameters that may leave the browser; no other part of the query does. They are `ref`, those of campaigns
 * (source, medium, campaign, content, term), and the names of those with which advertisers mark clicks. The server's
 * `clickParameters` has the sources of the latter. Values with an email do not match, nor does a `ref` that may be a key: it
 * has a digit before a letter, and seven more characters. Other `utm_` parameters name no campaign and must not replace one,
 * such as `utm_nooverride` on the way back from a payment provider. A semicolon precedes a parameter whose `&` was escaped
 * for HTML.
 */
const campaign =
  /[?&;]((utm_[cmst]\w+|ref(?!=[\w-]*\d[a-z][\w-]{7}))=(?![^&]*(@|%40))[^&]+|(awc|cjevent|gad_\w+|li_fat_id|epik|s[cs]cid|\w*(cl[ick_]*id|braid|_cid))=)/gi;

/**
 * Matches the first three segments of a path. It ends before a segment with a digit or an `@`, which may be somebody's
 * email or token. `%4` begins the escapes of `@` and of letters, but of no character beyond ASCII.
 */
const openPath = /^(\/(%[^4]\w|[^/\d@%])*(?![^/])){0,3}/;

/**
 * Matches three hosts with a space around each if two neighbours are one site. They are if the second equals the first, or is
 * a sub-domain of it, with or without `www.`. The server knows public suffixes and finds more such pairs (`readTouches`).
 */
const ownSite = / (www\.)?(\S+) (\S+\.)?\2 /;

/** Length to which a landing is cut, because its cookie goes to the shop with each request. */
const charactersAtMost = 300;

/**
 * Reads how the visitor came to this page: the time in milliseconds, the referrer's host, the campaign parameters and the
 * path, separated by spaces. A missing host is the text `undefined`. A `ref` in the shop's own links is ignored. Never throws.
 */
export function readLanding(browser: Pick<BrowserApis, 'Date' | 'document' | 'location'>): string {
  const host = `${browser.document.referrer}`.split('/')[2];
  const isOwn = ownSite.test(` ${host} ${browser.location.hostname} ${host} `);
  const parameters = browser.location.search.replace(isOwn ? /\bref=/gi : '', '').match(campaign) ?? '';
  return `${+browser.Date.now()} ${host} ${parameters} ${openPath.exec(browser.location.pathname)![0]}`.slice(
    0,
    charactersAtMost,
  );
}
