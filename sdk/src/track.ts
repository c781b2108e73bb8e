/**
 * Types for pages with the script tag. `import type {} from '@orderbeacon/sdk/track.js'` declares `window.track`. If the
 * tag has `data-global`, the function has that name instead.
 */

import type { GlobalTrack } from './tracker';

export type { GlobalTrack };

declare global {
  interface Window {
    /** Undefined until the stub or the script has run. */
    track?: GlobalTrack;
  }
}
