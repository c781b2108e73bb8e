import type { Touch } from '@orderbeacon/sdk/contract';
import { limits } from '../../../values/limits.js';
import { normaliseHost, siteOf } from '../../teams/domains.js';

/** The landings of an order: the first one, and the last one with campaign parameters; null if unknown. */
interface Touches {
  firstTouch: Touch | null;
  lastTouch: Touch | null;
}

const noTouches: Touches = { firstTouch: null, lastTouch: null };

/** The fields of a touch, in the order of the columns. */
export const touchFields = [
  'at',
  'path',
  'referrer',
  'source',
  'medium',
  'campaign',
  'term',
  'content',
  'clickId',
] as const satisfies (keyof Touch)[];

/** The order that the landings led to. */
interface Destination {
  /** The page's host; null for a report with an API key. */
  host: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** An earlier time comes from a clock that was never set. */
const earliest = Date.UTC(2020);

/**
 * Reads the `landings` of a report leniently, because the script cuts landings to 300 characters and anybody can change a cookie.
 * Values keep their case. They are decoded, trimmed, and cut to 255 characters.
 */
export function readTouches(landings: string | undefined, destination: Destination): Touches {
  if (landings === undefined) return noTouches;
  const [first = '', last = ''] = landings.split('.', 2);
  const lastTouch = readTouch(last, destination);
  return { firstTouch: readTouch(first, destination), lastTouch: hasCampaign(lastTouch) ? lastTouch : null };
}

function readTouch(base64: string, { host, createdAt }: Destination): Touch | null {
  // Most orders have no second landing, and each order passes here.
  if (base64 === '') return null;
  const sent = Buffer.from(base64, 'base64').toString();
  const text = sent.length < charactersSent ? sent : sent.replace(cutEscape, '');
  const [ms = '', referrer = '', parameters = '', path = ''] = text.split(' ', 4);
  const from = readReferrer(referrer);
  const isOwn = from !== null && host !== null && siteOf(from) === siteOf(host);
  const { source, medium, campaign, term, content, clickId } = readParameters(parameters, !isOwn);
  const touch: Touch = {
    at: readMoment(ms, createdAt),
    path: path.startsWith('/') ? readValue(path) : null,
    referrer: isOwn ? null : from,
    source,
    medium,
    campaign,
    term,
    content,
    clickId,
  };
  if (host === null && from !== null) readOnOwnSite.set(touch, () => readParameters(parameters, false));
  return touchFields.some((field) => touch[field] !== null) ? touch : null;
}

/**
 * Functions that read the parameters of a touch again, as those of a link on the shop's own site. Used if the touch's referrer is
 * one of the team's domains.
 */
const readOnOwnSite = new WeakMap<Touch, () => Omit<Touch, 'at' | 'path' | 'referrer'>>();

/**
 * Returns the touch of a visitor who came from another page of the same shop: without a referrer, and without the source in `ref`.
 */
export function onOwnSite(touch: Touch): Touch {
  return { ...touch, referrer: null, ...readOnOwnSite.get(touch)?.() };
}

/** @returns true if a touch has campaign parameters */
export function hasCampaign(touch: Touch | null): boolean {
  if (touch === null) return false;
  const { source, medium, campaign, term, content, clickId } = touch;
  return [source, medium, campaign, term, content, clickId].some((value) => value !== null);
}

/** Reads a time in milliseconds. A time after the order's becomes the order's, because the visitor's clock was ahead. */
function readMoment(ms: string, createdAt: string): string | null {
  if (!/^\d{13,14}$/.test(ms) || Number(ms) < earliest) return null;
  return Number(ms) < Date.parse(createdAt) ? new Date(Number(ms)).toISOString() : createdAt;
}

function readReferrer(sent: string): string | null {
  return sent === '' || sent === 'undefined' ? null : normaliseHost(sent);
}

/** Matches a `ref` that may be somebody's secret key, as the script does. Older scripts send such ones. */
const key = /\d[a-z][\w-]{7}|\w{24}/i;

/** @param isOutside false for a link on the shop's own site, whose `ref` names no source */
function readParameters(text: string, isOutside: boolean): Omit<Touch, 'at' | 'path' | 'referrer'> {
  const found: Partial<Touch> = {};
  let ref: string | null = null;
  let clickId: string | null = null;
  // The text may be cut after a parameter or within the name of the next one.
  for (const parameter of text.replace(/,([?&;]\w*)?$/, '').split(/(?:^|,)[?&;](?=\w+=)/)) {
    const equals = parameter.indexOf('=');
    const name = parameter.slice(0, equals).toLowerCase();
    const field = campaignFields.get(name);
    if (field) found[field] ??= readValue(parameter.slice(equals + 1).replaceAll('+', ' '));
    else if (name === 'ref') ref ??= readRef(parameter.slice(equals + 1), isOutside);
    else if (clickName.test(name) && !isClick(clickId)) clickId = name;
  }
  const click = clickId === null ? undefined : clickParameters.get(clickId);
  // The script replaces an earlier campaign by a landing with an unknown click id, so the id must count as a source.
  const source = found.source ?? ref ?? click?.source ?? clickId;
  const isByClick = source?.toLowerCase() === click?.source;
  return {
    source,
    medium: found.medium ?? (isByClick ? click?.medium : null) ?? null,
    campaign: found.campaign ?? null,
    term: found.term ?? null,
    content: found.content ?? null,
    clickId,
  };
}

/** @returns true for the parameter of a click. Google adds `gad_source` to it, which is less specific. */
function isClick(name: string | null): boolean {
  return name !== null && !name.startsWith('gad_');
}

function readRef(sent: string, isOutside: boolean): string | null {
  const ref = isOutside ? readValue(sent.replaceAll('+', ' ')) : null;
  return ref === null || key.test(ref) ? null : ref;
}

/** Most characters of one landing; the script cuts the rest. */
const charactersSent = 300;

/** Matches the end of a landing that was cut within the escapes of a character. */
const cutEscape =
  /(?:%[cd][\da-f]|%e[\da-f](?:%[89ab][\da-f])?|%f[0-4](?:%[89ab][\da-f]){0,2})?(?:%[\da-f]?)?$/i;

/** Matches the escapes of one character in UTF-8 (RFC 3629, section 4). */
const escaped =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}/gi;

/** Decodes a part of a URL. Invalid escapes, such as in `50%` and `caf%E9`, stay. Control characters are removed. */
function readValue(part: string): string | null {
  const text = part
    .replace(escaped, decode)
    .replace(/[\p{Cc}\ufffd]/gu, '')
    .trim()
    .slice(0, limits.text)
    .replace(/\p{Surrogate}/gu, '');
  return text === '' ? null : text;
}

function decode(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    // Such as half of a surrogate pair.
    return escapes;
  }
}

/** The field of a touch that each campaign parameter fills (Google Analytics, "URL builders"). */
const campaignFields: ReadonlyMap<string, 'source' | 'medium' | 'campaign' | 'term' | 'content'> = new Map([
  ['utm_source', 'source'],
  ['utm_medium', 'medium'],
  ['utm_campaign', 'campaign'],
  ['utm_term', 'term'],
  ['utm_content', 'content'],
] as const);

const google = { source: 'google', medium: 'cpc' };

/** Matches the names of parameters that mark clicks, known or not, as the script does (`sdk/src/landing.ts`). */
const clickName = /^(?:\w{0,60}(?:cl[ick_]*id|braid|_cid)|awc|cjevent|gad_\w{1,60}|li_fat_id|epik|s[cs]cid)$/;

/**
 * The source and medium of a click, by the parameter that the advertiser adds to its links. They count if the link names no source.
 * The names come from each advertiser's help pages. Facebook adds `fbclid` to links in posts as well as in advertisements, so its
 * medium is unknown. The others mark paid clicks, or clicks of affiliates and newsletters.
 */
const clickParameters: ReadonlyMap<string, Pick<Touch, 'source' | 'medium'>> = new Map<
  string,
  Pick<Touch, 'source' | 'medium'>
>([
  ['gclid', google],
  ['gbraid', google],
  ['wbraid', google],
  ['gad_source', google],
  ['gad_campaignid', google],
  ['dclid', { source: 'google', medium: 'display' }],
  ['fbclid', { source: 'facebook', medium: null }],
  ['msclkid', { source: 'bing', medium: 'cpc' }],
  ['ttclid', { source: 'tiktok', medium: 'cpc' }],
  ['twclid', { source: 'twitter', medium: 'cpc' }],
  ['yclid', { source: 'yandex', medium: 'cpc' }],
  // Yandex adds it to its search results.
  ['ysclid', { source: 'yandex', medium: null }],
  ['qclid', { source: 'quora', medium: 'cpc' }],
  ['ndclid', { source: 'nextdoor', medium: 'cpc' }],
  ['sznclid', { source: 'seznam', medium: 'cpc' }],
  ['outbrainclickid', { source: 'outbrain', medium: 'cpc' }],
  ['rdt_cid', { source: 'reddit', medium: 'cpc' }],
  ['awc', { source: 'awin', medium: 'affiliate' }],
  ['cjevent', { source: 'cj', medium: 'affiliate' }],
  ['irclickid', { source: 'impact', medium: 'affiliate' }],
  ['sscid', { source: 'shareasale', medium: 'affiliate' }],
  ['mc_cid', { source: 'mailchimp', medium: 'email' }],
  // https://learn.microsoft.com/linkedin/marketing/conversions/enabling-first-party-cookies
  ['li_fat_id', { source: 'linkedin', medium: 'cpc' }],
  // https://help.pinterest.com/business/article/pinterest-tag-parameters-and-cookies
  ['epik', { source: 'pinterest', medium: 'cpc' }],
  // `ScCid` in links: https://developers.snap.com/api/marketing-api/Conversions-API/Parameters
  ['sccid', { source: 'snapchat', medium: 'cpc' }],
]);
