import type { BrowserApis } from './browser';

/**
 * The parameters of campaigns (source, medium, campaign, content, term), and the names of those with which advertisers mark
 * clicks: `clickParameters` of the server has them with their sources. No other part of the query leaves the browser, no value
 * with an email, and no `ref` that may be a key: it has a digit before a letter, and seven more characters. Other parameters,
 * such as `utm_nooverride` on the way back from a payment provider, name no campaign and must not replace one. A semicolon
 * precedes parameters whose `&` was escaped for HTML.
 */
const campaign =
  /[?&;]((utm_[cmst]\w+|ref(?!=[\w-]*\d[a-z][\w-]{7}))=(?![^&]*(@|%40))[^&]+|(awc|cjevent|gad_\w+|li_fat_id|epik|s[cs]cid|\w*(cl[ick_]*id|braid|_cid))=)/gi;

/**
 * The first three parts of a path, up to one with a digit or an `@`: that may be somebody's email or token. `%4` begins the
 * escapes of `@` and of letters, and none of a character beyond ASCII.
 */
const openPath = /^(\/(%[^4]\w|[^/\d@%])*(?![^/])){0,3}/;

/**
 * Two hosts of one site among three with a space around each: the first is the second one or has it as a sub-domain, whatever
 * `www.` says. The server knows public suffixes and finds more of them (`readTouches`).
 */
const ownSite = / (www\.)?(\S+) (\S+\.)?\2 /;

/** A cookie goes to the shop with each request, so that a landing is cut to these characters. */
const charactersAtMost = 300;

/**
 * Reads how the visitor came to this page: the time in milliseconds, the referrer's host, the campaign parameters and the path,
 * separated by spaces. A missing host is `undefined`. The shop's own links say nothing by `ref`. Never throws.
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
