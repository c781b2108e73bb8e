/**
 * The script tag's entry. What a merchant pastes:
 *
 *     <script async src="https://HOST/sdk/track.js" data-team-id="team_…"></script>
 *     <script>window.track=window.track||function(){(track.q=track.q||[]).push(arguments)};
 *     track('order', { email: '…', amount: 49.90, orderId: '…' })</script>
 *
 * The second line is the stub: it keeps calls that are made before this file is there, and may stand before or
 * behind it. Once loaded, `track()` returns a promise (see `TrackResult`).
 *
 * - `data-team-id`: the team; where a tag manager strips `data-*`, `?team=team_…` behind the file's name.
 * - `data-endpoint`: the server. Default: the origin that this file came from.
 * - `data-global`: another name than `track`, also in the stub.
 * - `data-visitor="off"`: no visitor id unless the visitor has consented.
 * - `data-debug`: tells each step in the console; it loads `debug.js` from beside this file first.
 *
 * A second copy of the tag does nothing.
 */

import { wireTracker } from './tracker';

// Modules, and scripts that an optimiser has put in one file, have no current script.
const tag = (document.currentScript ??
  document.querySelector('[data-team-id],[src*=team_]')) as HTMLScriptElement;
const { searchParams, origin } = new URL(tag.src);
const {
  teamId = searchParams.get('team'),
  endpoint = origin,
  global: name = 'track',
  visitor,
  debug,
} = tag.dataset;
// biome-ignore lint/suspicious/noExplicitAny: whatever a page has under that name.
const page = self as any;

const start = () => {
  const stub = page[name];
  if (!stub?.visitorId) {
    page[name] = wireTracker(teamId, endpoint, visitor === 'off');
    for (const call of stub?.q ?? []) page[name](...call);
  }
};

if (debug == null) start();
else import(new URL('debug.js', tag.src) as unknown as string).then(start, start);
