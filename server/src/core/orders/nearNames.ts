import type { FieldIssue, Warn } from '../../values/issues.js';

/** Names that shops, Google Analytics and Segment have for the fields of a report, in lower case and without signs. */
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

/** Names the field of a report that a field of another name, such as `order_id` or `value`, probably means; undefined for none. */
export function fieldMeantBy(name: string): string | undefined {
  // A field may have any name; the longest of those above has 12 letters.
  if (name.length > 30) return undefined;
  const field = meantBy.get(name.toLowerCase().replace(/[^a-z]/g, ''));
  return field === name ? undefined : field;
}

/** Matches names such as Google's `sha256_email_address`. */
const hashedEmail =
  /^(?:sha256|sha1|md5|hashed)_?e?mail(?:_?address)?$|^e?mail_?(?:address_?)?(?:sha256|sha1|md5|hash|hashed)$/i;

/** Adds to the issues, or warns, which missing field an extra field such as `order_id` probably means. */
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
