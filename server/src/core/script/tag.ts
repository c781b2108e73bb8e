import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exampleEmail, exampleOrderId } from '../../values/examples.js';
import { once } from '../../values/once.js';
import type { Pin } from './sdkFiles.js';

export interface TagParts {
  /** The server's public URL, without a trailing slash. */
  publicUrl: string;
  /** `team_…` */
  teamId: string;
  /** The shop's currency. Without it, the example order has USD. */
  currency?: string | null | undefined;
  /** Pins the tag to this release: it names the version and the hash that the browser checks. */
  pinnedTo?: Pin | undefined;
}

/** The reason why a server offers no pinned tag. */
export const noPin = 'This is a development version; a pin exists for released versions.';

/** Reads the SDK's stub. It is one line of JavaScript without `<`, which keeps calls of `track()` until the script has loaded. */
export const stub = once(() =>
  readFileSync(fileURLToPath(import.meta.resolve('@orderbeacon/sdk/stub.js')), 'utf8').trim(),
);

/** The attribute for shops whose law requires consent first. */
export const askFirst = 'data-visitor="off"';

/** Builds both snippets that a merchant pastes, each with a comment on where to paste it. */
export function tagHtml(parts: TagParts): string {
  return `<!-- Every page: in the theme's head. If the law of your shop asks for consent first, add ${askFirst}
     to the tag: then no visitor is kept before track('consent', true). -->
${scriptHtml(parts)}

<!-- The order confirmation page: in its body. Your shop fills in each order: this example is refused. -->
${confirmationHtml(parts.currency ?? undefined)}`;
}

/**
 * Builds the script element for the head of every page. A pinned one always names the same file, and the browser refuses any other
 * (W3C Subresource Integrity, which needs CORS). One without a pin follows the server's version.
 *
 * It names the server. Otherwise the script would take the server from its own address, but page optimizers copy the script to the
 * shop's host, and a server may be below a path.
 */
export function scriptHtml({ publicUrl, teamId, pinnedTo }: TagParts): string {
  const path = pinnedTo ? `${pinnedTo.version}/track.js` : 'track.js';
  const pin = pinnedTo ? ` integrity="${pinnedTo.integrity}" crossorigin="anonymous"` : '';
  return `<script async src="${publicUrl}/sdk/${path}" data-team-id="${teamId}" data-endpoint="${publicUrl}"${pin}></script>`;
}

/**
 * Builds the stub and a call with an example order, for the confirmation page.
 * @param currency the shop's
 */
export function confirmationHtml(currency = 'USD'): string {
  return `<script>
${stub()}
track('order', { email: '${exampleEmail}', amount: 49.90, orderId: '${exampleOrderId}', currency: '${currency}' });
</script>`;
}
