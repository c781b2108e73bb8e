import type { BrowserApis } from './browser';

/**
 * One way in which the visitor came to the shop. The text is the time in milliseconds, the referrer's host, the campaign
 * parameters and the path, separated by spaces. A missing one is `undefined`.
 */
export type Landing = [text: string, parameters: string];

/**
 * The parameters of campaigns (source, medium, campaign, content, term), and the names of those with which advertisers mark
 * clicks: `clickParameters` of the server has them with their sources. No other part of the query leaves the browser, and no
 * value with an email. Others, such as `utm_nooverride` on the way back from a payment provider, name no campaign and must not
 * replace one. A semicolon precedes parameters whose `&` was escaped for HTML.
 */
const campaign =
  /[?&;]((utm_[cmst]\w+|ref)=(?![^&]*(@|%40))[^&]+|(\w*(clk?id|braid)|li_fat_id|epik|sccid)=)/gi;

/**
 * The first three parts of a path, up to one with a digit or an `@`: that may be somebody's email or token. `%4` begins the
 * escapes of `@` and of letters, and none of a character beyond ASCII.
 */
const openPath = /^(\/(%[^4]\w|[^/\d@%])*(?![^/])){0,3}/;

/** A cookie goes to the shop with each request, so that a landing is cut to these characters. */
const charactersAtMost = 300;

/** Reads how the visitor came to this page. Never throws. */
export function readLanding(browser: Pick<BrowserApis, 'Date' | 'document' | 'location'>): Landing {
  const parameters = `${browser.location.search.match(campaign) ?? ''}`;
  const host = `${browser.document.referrer}`.split('/')[2];
  const text = `${+browser.Date.now()} ${host} ${parameters} ${openPath.exec(browser.location.pathname)![0]}`;
  return [text.slice(0, charactersAtMost), parameters];
}
