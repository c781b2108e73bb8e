/** What a tag is made of. */
export interface TagParts {
  /** The server's public URL, without a slash at its end. */
  publicUrl: string;
  /** `team_…` */
  teamId: string;
}

/** The HTML that a merchant pastes: the script, the stub that keeps calls made before it loads, one order. */
export function tagHtml({ publicUrl, teamId }: TagParts): string {
  return `<script async src="${publicUrl}/sdk/track.js" data-team-id="${teamId}"></script>
<script>window.track=window.track||function(){(track.q=track.q||[]).push(arguments)}</script>
<script>track('order', { email: 'ann@shop.example', amount: 49.90, orderId: '1001', currency: 'USD' })</script>`;
}
