/**
 * Types for pages with the script tag. `import type {} from '@orderbeacon/sdk/track.js'` declares `window.track`, which
 * is its name unless the tag has `data-global`.
 */

import type { GlobalTrack } from './tracker';

export type { GlobalTrack };

declare global {
  interface Window {
    /** Undefined until the stub or the script has run. */
    track?: GlobalTrack;
  }
}
