import type { SdkFiles } from './sdkFiles.js';

/** What a tag is made of. */
export interface TagParts {
  /** The server's public URL, without a slash at its end. */
  publicUrl: string;
  /** `team_…` */
  teamId: string;
  /** Pins the tag to these files: their version in the address, and their hash for the browser to check. */
  pinnedTo?: SdkFiles | undefined;
}

/** The HTML that a merchant pastes: the script, the stub that keeps calls made before it loads, one order. */
export function tagHtml(parts: TagParts): string {
  return `${scriptHtml(parts)}
<script>window.track=window.track||function(){(track.q=track.q||[]).push(arguments)}</script>
<script>track('order', { email: 'ann@shop.example', amount: 49.90, orderId: '1001', currency: 'USD' })</script>`;
}

/**
 * The first line of the tag. Pinned, it is the same file for ever, and the browser refuses any other (W3C
 * Subresource Integrity, which needs CORS); plain, it follows the server's version.
 */
export function scriptHtml({ publicUrl, teamId, pinnedTo }: TagParts): string {
  const path = pinnedTo ? `${pinnedTo.version}/track.js` : 'track.js';
  const pin = pinnedTo
    ? ` integrity="${pinnedTo.files.get('track.js')!.integrity}" crossorigin="anonymous"`
    : '';
  return `<script async src="${publicUrl}/sdk/${path}" data-team-id="${teamId}"${pin}></script>`;
}
