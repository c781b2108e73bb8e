/**
 * The types of a page that has the script tag: `import type {} from '@orderbeacon/sdk/track.js'` makes
 * `window.track` known, with the name that the tag has without `data-global`.
 */

import type { GlobalTrack } from './tracker';

export type { GlobalTrack };

declare global {
  interface Window {
    /** Missing where the page has neither the stub nor the script yet. */
    track?: GlobalTrack;
  }
}
