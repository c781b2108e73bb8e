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
