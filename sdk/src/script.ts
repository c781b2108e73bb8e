/**
 * The script tag's entry. On every page of the shop, in the theme's head:
 *
 *     <script async src="https://HOST/sdk/track.js" data-team-id="team_…"></script>
 *
 * and before the first call of `track()` the stub (see stub.ts), which keeps calls until this file is there.
 *
 * - `data-team-id`: the team; where a tag manager strips `data-*`, `?team=team_…` behind the file's name.
 * - `data-endpoint`: the server, or the path of the shop's own host that leads there. Default: the origin that
 *   this file came from.
 * - `data-global`: another name than `track`, also in the stub. Two teams on one page need two names.
 * - `data-visitor="off"`: no visitor id unless the visitor has consented.
 * - `data-debug`: tells each step in the console; it loads `debug.js` from beside this file first.
 *
 * A tag that cannot work says why in one console line and touches nothing, so that the stub goes on keeping calls
 * until the tag is mended. Imported on a server, this does nothing.
 */

import { complain } from './complain';
import { isEndpoint } from './options';
import { wireTracker } from './tracker';

/**
 * The tag of the script that runs. Modules have no current script: theirs is the page's first module tag with a team;
 * for a script that a bundler has made part of another, the first tag with one.
 */
const findTag = () =>
  (document.currentScript ??
    document.querySelector('[type=module][data-team-id]') ??
    document.querySelector('[data-team-id],[src*=team_]')) as HTMLScriptElement;

function start() {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the page has under a name.
  const page = window as any;
  const { src, dataset = {} }: Partial<HTMLScriptElement> = findTag() ?? {};
  // Not by `URL`: old shops have a variable of that name.
  const [, origin, team] = /^(https?:\/\/[^/]+)(?:.*team=(\w+))?/.exec(src!) ?? [];
  const { teamId = team, endpoint = origin, global: name = 'track', visitor, debug } = dataset;
  if (!teamId) return complain(page, 'no data-team-id');
  if (!isEndpoint(endpoint)) return complain(page, `no data-endpoint: ${endpoint}`);

  const open = () => {
    const taken = page[name];
    const isFunction = typeof taken === 'function';
    // Nothing, an element, or a stub. That of version 0.1.0 has no queue before its first call, but speaks of one.
    if (isFunction && !taken.q && !/\.q\b/.test(taken)) return complain(page, `${name} is taken`);
    page[name] = wireTracker(
      page,
      teamId,
      endpoint,
      visitor === 'off',
      name,
      isFunction ? taken.q : undefined,
    );
  };
  if (src && debug != null) import(src.replace(/[^/]*$/, 'debug.js')).then(open, open);
  else open();
}

if (typeof document === 'object') start();
