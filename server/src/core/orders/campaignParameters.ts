import type { Touch } from '@orderbeacon/sdk/contract';

/** The field of a touch that each parameter of a campaign fills (Google Analytics, "URL builders"). */
export const campaignFields: ReadonlyMap<string, 'source' | 'medium' | 'campaign' | 'term' | 'content'> =
  new Map([
    ['utm_source', 'source'],
    ['utm_medium', 'medium'],
    ['utm_campaign', 'campaign'],
    ['utm_term', 'term'],
    ['utm_content', 'content'],
  ] as const);

const google = { source: 'google', medium: 'cpc' };

/** Matches the names of parameters that mark clicks, known or not, as the script finds them (`sdk/src/landing.ts`). */
export const clickName = /^(?:\w{0,60}(?:clk?id|braid)|li_fat_id|epik|sccid)$/;

/**
 * The source and medium of a click whose link names no source, by the parameter that the advertiser adds to its links.
 * The names are those of each advertiser's own help pages. Facebook adds `fbclid` to links in posts as well as in
 * advertisements, so its medium is unknown. The others mark paid clicks only.
 */
export const clickParameters: ReadonlyMap<string, Pick<Touch, 'source' | 'medium'>> = new Map<
  string,
  Pick<Touch, 'source' | 'medium'>
>([
  ['gclid', google],
  ['gbraid', google],
  ['wbraid', google],
  ['dclid', { source: 'google', medium: 'display' }],
  ['fbclid', { source: 'facebook', medium: null }],
  ['msclkid', { source: 'bing', medium: 'cpc' }],
  ['ttclid', { source: 'tiktok', medium: 'cpc' }],
  ['twclid', { source: 'twitter', medium: 'cpc' }],
  ['yclid', { source: 'yandex', medium: 'cpc' }],
  // Yandex adds it to the results of its search.
  ['ysclid', { source: 'yandex', medium: null }],
  ['qclid', { source: 'quora', medium: 'cpc' }],
  ['ndclid', { source: 'nextdoor', medium: 'cpc' }],
  // https://learn.microsoft.com/linkedin/marketing/conversions/enabling-first-party-cookies
  ['li_fat_id', { source: 'linkedin', medium: 'cpc' }],
  // https://help.pinterest.com/business/article/pinterest-tag-parameters-and-cookies
  ['epik', { source: 'pinterest', medium: 'cpc' }],
  // `ScCid` in links: https://developers.snap.com/api/marketing-api/Conversions-API/Parameters
  ['sccid', { source: 'snapchat', medium: 'cpc' }],
]);
