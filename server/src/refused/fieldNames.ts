/** The contract's names of fields (sections 4.2 and 4.3), and of a line item's. Any other name is the caller's own word. */
const fieldNames = new Set(
  `teamId email amount orderId currency source name items visitorId reportId sequenceId sdkVersion Idempotency-Key
  productId sku variant category quantity price`.split(/\s+/),
);

/** The path of an invalid field without the caller's own names: `items.3.price` as it is, `items.3.ann@shop.example` as `items.3.*`. */
export function withoutOwnNames(path: string): string {
  const names = path.split('.').map((name) => (fieldNames.has(name) || /^\d{1,4}$/.test(name) ? name : '*'));
  return path === '' ? 'body' : names.join('.').replace(/\*(\.\*)+/g, '*');
}

/** The first invalid field of a refusal, without its place in a list: so few that refusals are counted by it. Empty for none. */
export function fieldOf(issues: readonly { path: string }[] | null | undefined): string {
  return issues?.[0] ? withoutOwnNames(issues[0].path).replace(/\.\d+/g, '') : '';
}
