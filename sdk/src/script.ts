/**
 * The entry point of the script tag. On every page of the shop, in the theme's head:
 *
 *     <script async src="https://HOST/sdk/track.js" data-team-id="team_…" data-endpoint="https://HOST"></script>
 *
 * The stub (see stub.ts) precedes the first call of `track()` and keeps the calls until this file has loaded.
 *
 * - `data-team-id`: the team. If a tag manager strips `data-*`, append `?team=team_…` to the file's name.
 * - `data-endpoint`: the server, or the path of the shop's own host that leads there. Default: the origin of this file.
 * - `data-global`: another name than `track`, also in the stub. Two teams on one page need two names.
 * - `data-visitor="off"`: stores no visitor id unless the visitor has consented.
 * - `data-debug`: logs each step in the console. It first loads `debug.js` from the folder of this file.
 *
 * A tag that cannot work says why in one console line and changes nothing, so that the stub keeps the calls until the
 * tag is fixed. Importing this file on a server has no effect.
 */

import { isEndpoint } from './options';
import { wireTracker } from './tracker';
import { warn } from './warn';
import { whenSeen } from './whenSeen';

/** Finds the tag of this script. A module has no current script, so it takes the first tag with a team. */
const findTag = () =>
  (document.currentScript ?? document.querySelector('script[data-team-id]')) as HTMLScriptElement | null;

function start() {
  // biome-ignore lint/suspicious/noExplicitAny: the page may have anything under a name.
  const page = window as any;
  const { src, dataset = {} }: Partial<HTMLScriptElement> = findTag() ?? {};
  // Parsed without `URL`, because old shops have a variable of that name.
  const [, origin, , team] = /^(https?:\/\/[^/]+)(.*team=(\w+))?/.exec(src!) ?? [];
  // A template may leave an attribute empty.
  const teamId = (dataset.teamId || team)?.trim();
  const endpoint = (dataset.endpoint || origin)?.trim();
  const name = dataset.global || 'track';
  if (!teamId) return warn(page, 'no data-team-id');
  if (!isEndpoint(endpoint)) return warn(page, 'no data-endpoint');

  const open = () => {
    // An element with that id is no property of the page's own.
    // biome-ignore lint/suspicious/noPrototypeBuiltins: `Object.hasOwn` is newer, and `window` has a prototype.
    const taken = page.hasOwnProperty(name) && page[name];
    // Anything without the stub's mark is the page's own, because other vendors' stubs have a queue, too. A tag may run
    // again, as on a site that exchanges its pages without loading them. Then it finds its own function.
    if (taken && !taken.orderbeacon) return taken.teamId === teamId || warn(page, `${name} is taken`);
    page[name] = wireTracker(page, teamId, endpoint, /off/i.test(dataset.visitor!), name, taken?.q);
  };
  whenSeen(document, () => {
    if (src && dataset.debug != null) import(src.replace(/[^/]*$/, 'debug.js')).then(open, open);
    else open();
  });
}

if (typeof document === 'object') start();
