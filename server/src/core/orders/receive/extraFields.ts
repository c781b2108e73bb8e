import { type FieldIssue, issuesAtMost, type Path, type Warn } from '../../../values/issues.js';
import { limits } from '../../../values/limits.js';
import type { ExtraFields } from '../storedOrder.js';
import {
  complaints,
  type Replace,
  repairUnstorable,
  replaceFields,
  replaceUnstorable,
} from './unstorable.js';

const tooLarge = `is too large: fields beyond the contract's may have ${limits.extraBytes} bytes of JSON together`;

/** Most extra fields of a report that are read. 8 KiB have room for 300 fields of some 27 bytes. */
export const extraFieldsAtMost = 300;

/** Picks the fields of a report that the contract does not name, at most the first 300. */
export function takeExtra(
  sent: Record<string, unknown>,
  names: ReadonlySet<string>,
): { extra: ExtraFields; hasMore: boolean } {
  const extra: [string, unknown][] = [];
  for (const name in sent) if (!names.has(name)) extra.push([name, sent[name]]);
  // A field may have any name, and an assignment to `__proto__` would set the prototype.
  return {
    extra: Object.fromEntries(extra.slice(0, extraFieldsAtMost)),
    hasMore: extra.length > extraFieldsAtMost,
  };
}

/**
 * Makes extra fields of a page's report storable, in place. Removes the largest ones until the others fit, with a warning for each.
 * @param extra the fields, at most 300
 * @param hasMore set if the report has more
 * @returns null if no field is left
 */
export function repairExtra(extra: ExtraFields, hasMore: boolean, warn: Warn): ExtraFields | null {
  if (hasMore)
    warn(
      [],
      `has more fields beyond the contract's than ${extraFieldsAtMost}; the first ${extraFieldsAtMost} are kept`,
    );
  replaceIn(extra, repairUnstorable(warn));
  for (const name of largestBeyond(extra)) {
    warn([name], `${tooLarge}; left out`);
    delete extra[name];
  }
  return Object.keys(extra).length > 0 ? extra : null;
}

/**
 * Lists reasons why extra fields of a report with an API key cannot be stored.
 * @param extra the fields, at most 300
 * @param hasMore set if the report has more
 */
export function checkExtra(extra: ExtraFields, hasMore: boolean): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const note = (path: Path, message: string) => {
    if (issues.length < issuesAtMost) issues.push({ path: [...path], message });
  };
  if (hasMore) note([], `must have at most ${extraFieldsAtMost} fields beyond the contract's`);
  replaceIn(extra, (part, value, path) => {
    note(path, complaints[part]);
    // Unchanged, because the report is refused, and kept as it was sent.
    return value;
  });
  if (issues.length === 0) for (const name of largestBeyond(extra)) note([name], tooLarge);
  return issues;
}

function replaceIn(extra: ExtraFields, replace: Replace): void {
  const path: (string | number)[] = [];
  replaceFields(extra, path, (_name, value) => replaceUnstorable(value, path, replace), replace);
}

/** Lists the names of the largest fields, without which the others fit. */
function largestBeyond(extra: ExtraFields): Set<string> {
  const names = new Set<string>();
  // Most reports fit, and measuring each of 300 fields takes four times as long.
  if (Buffer.byteLength(JSON.stringify(extra)) <= limits.extraBytes) return names;
  // `["a",1]` has one byte more than `"a":1,`. The last field has no comma, but two braces enclose all fields.
  const bytesOf = (field: [string, unknown]) => Buffer.byteLength(JSON.stringify(field)) - 1;
  const fields = Object.entries(extra).map((field) => ({ name: field[0], bytes: bytesOf(field) }));
  let bytes = fields.reduce((sum, field) => sum + field.bytes, 1);
  for (const field of fields.sort((a, b) => b.bytes - a.bytes)) {
    if (bytes <= limits.extraBytes) break;
    bytes -= field.bytes;
    names.add(field.name);
  }
  return names;
}

/** Other names of the fields of a report, as shops, Google Analytics and Segment use them. They are in lower case, without signs. */
const meantBy = new Map<string, string>();
for (const [field, names] of Object.entries({
  orderId: 'orderid ordernumber orderno orderref transactionid purchaseid',
  amount: 'amount value total totalprice totalamount ordertotal grandtotal revenue',
  email: 'email emailaddress useremail customeremail buyeremail',
  currency: 'currency currencycode',
  name: 'name customername buyername fullname',
  items: 'items products lineitems',
  visitorId: 'visitorid',
}))
  for (const name of names.split(' ')) meantBy.set(name, field);

/** Finds the field of a report that a field such as `order_id` or `value` probably means; undefined if it means no field. */
export function fieldMeantBy(name: string): string | undefined {
  // A field may have any name. The longest of those above has 13 letters.
  if (name.length > 30) return undefined;
  const field = meantBy.get(name.toLowerCase().replace(/[^a-z]/g, ''));
  return field === name ? undefined : field;
}

/** Matches names such as Google's `sha256_email_address`. */
const hashedEmail =
  /^(?:sha256|sha1|md5|hashed)_?e?mail(?:_?address)?$|^e?mail_?(?:address_?)?(?:sha256|sha1|md5|hash|hashed)$/i;

/**
 * Extra fields that seem to state something that every report implies or cannot state. `names` are in lower case, without signs.
 * `unless` matches values that need no warning.
 */
const meanings: { names: string; unless: RegExp; counts: string; countsOfPage?: string }[] = [
  {
    names: 'status orderstatus paymentstatus financialstatus paid ispaid',
    unless: /^(?:paid|completed?|succeeded|success|processing|captured|true|1)$/i,
    counts: 'each report is of a paid order',
  },
  {
    names: 'cancelled canceled iscancelled iscanceled cancelledat canceledat',
    unless: /^(?:false|0|null|)$/i,
    counts: 'each report is of a paid order',
  },
  {
    names: 'test istest testmode sandbox',
    unless: /^(?:false|0|null|)$/i,
    counts: 'a test is what comes by a test key or from a test domain',
  },
  {
    names: 'refunded isrefunded refundedamount amountrefunded refundamount totalrefunded',
    unless: /^(?:false|0(?:\.0+)?|null|)$/i,
    counts: 'report refunds to /orders/refunds, or in the console',
  },
  {
    names:
      'createdat created date time timestamp orderdate datecreated orderedat placedat paidat purchasedat',
    unless: /^$/,
    counts: '`createdAt` does, as a time such as 2026-11-26T09:30:00Z',
    countsOfPage: 'an order of a page has the time of its call',
  },
  {
    names: 'idempotencykey',
    unless: /^$/,
    counts: 'the header `Idempotency-Key` does',
    countsOfPage: '`orderId` does',
  },
];
const meaningOf = new Map(
  meanings.flatMap((meaning) => meaning.names.split(' ').map((name) => [name, meaning] as const)),
);

/** Warns of extra fields that have no effect, such as `status` and `date`. They are kept. */
export function warnOfMeanings(
  extra: ExtraFields,
  { createdAt }: Record<string, unknown>,
  isFromPage: boolean,
  warn: Warn,
): void {
  for (const [name, value] of Object.entries(extra)) {
    const meaning = name.length <= 30 && meaningOf.get(name.toLowerCase().replace(/[^a-z]/g, ''));
    if (!meaning || (typeof value === 'object' && value !== null) || meaning.unless.test(String(value)))
      continue;
    // A backend that sends the right field may send others, too.
    if (createdAt !== undefined && meaning.counts.startsWith('`createdAt`')) continue;
    const counts = (isFromPage && meaning.countsOfPage) || meaning.counts;
    warn([name], `does not count: ${counts}. Kept in the extra fields`);
  }
}

/**
 * Names the missing field that an extra field such as `order_id` probably means. Says so in the issue about the missing field, or
 * in a warning.
 */
export function nameNearNames(
  names: readonly string[],
  report: Record<string, unknown>,
  issues: FieldIssue[],
  warn: Warn,
): void {
  for (const name of names) {
    const isHash = name.length <= 30 && hashedEmail.test(name);
    const meant = isHash ? 'email' : fieldMeantBy(name);
    if (meant === undefined || report[meant] !== undefined) continue;
    const at = issues.findIndex(({ path, message }) => path[0] === meant && message === 'is required');
    if (at !== -1) {
      const message = isHash
        ? `is required: the email itself, because \`${name}\` is a hash of it`
        : `is required; \`${name}\` does not count, \`${meant}\` does`;
      issues[at] = { path: [meant], message };
    } else warn([name], `does not count; \`${meant}\` does. Kept in the extra fields`);
  }
}
