import type { SdkFiles } from './sdkFiles.js';

/** The values in a tag. */
export interface TagParts {
  /** The server's public URL, without a slash at its end. */
  publicUrl: string;
  /** `team_…` */
  teamId: string;
  /** Pins the tag to these files: it names their version and the hash that the browser checks. */
  pinnedTo?: SdkFiles | undefined;
}

/** The HTML that a merchant pastes: the script, the stub that keeps calls until the script has loaded, one order. */
export function tagHtml(parts: TagParts): string {
  return `${scriptHtml(parts)}
<script>window.track=window.track||function(){(track.q=track.q||[]).push(arguments)}</script>
<script>track('order', { email: 'ann@shop.example', amount: 49.90, orderId: '1001', currency: 'USD' })</script>`;
}

/**
 * The script element of the tag. A pinned one always names the same file, and the browser refuses any other
 * (W3C Subresource Integrity, which needs CORS). One without a pin follows the server's version.
 */
export function scriptHtml({ publicUrl, teamId, pinnedTo }: TagParts): string {
  const path = pinnedTo ? `${pinnedTo.version}/track.js` : 'track.js';
  const pin = pinnedTo
    ? ` integrity="${pinnedTo.pinned.get('track.js')!.integrity}" crossorigin="anonymous"`
    : '';
  return `<script async src="${publicUrl}/sdk/${path}" data-team-id="${teamId}"${pin}></script>`;
}
