// biome-ignore-all lint/complexity/useArrowFunction: pages and tag managers paste it as ECMAScript 5.
// biome-ignore-all lint/complexity/useOptionalChain: the same.
// biome-ignore-all lint/correctness/noInnerDeclarations: the same.
// biome-ignore-all lint/style/useTemplate: the same.
// biome-ignore-all lint/suspicious/noVar: the same.
/**
 * The stub: the line of HTML that precedes the first call of `track()` on a page. It stands in for the script until the
 * script has loaded. If the script is blocked, it stays.
 *
 * - Each call is stored in localStorage under a new id, which becomes the report's `reportId`. The next page of the site
 *   that loads the script sends it.
 * - Each call is also queued in memory, because the storage may be blocked, full, cleared by the shop or unreliable.
 * - The promise resolves immediately, so that no code waits for it. `final` resolves when the script, loaded on this
 *   page, has the answer. Without `Promise` (Internet Explorer) the call returns undefined.
 * - `visitorId()` returns undefined.
 * - `orderbeacon` marks the stub. The script replaces nothing that has no such mark.
 * - On a page that Chromium has prerendered, calls are stored when a person opens it.
 * - If the page has its own value of that name, it stays. An element with `id="track"` is `window.track`, too. But it is
 *   no own property of `window`, so the stub replaces it.
 */
(function (name) {
  // biome-ignore lint/suspicious/noExplicitAny: the page may have anything under that name.
  var page = window as any;
  // biome-ignore lint/suspicious/noPrototypeBuiltins: `Object.hasOwn` is newer, and `window` has a prototype.
  if (page.hasOwnProperty(name) && page[name]) return;
  var last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: a function with properties.
  var stub: any = function (command: unknown, value: unknown) {
    // Makes the id as the script does.
    var bits: string;
    try {
      bits = crypto.getRandomValues(new Uint32Array(2)).join('');
    } catch (_) {
      bits = ('' + Math.random()).slice(2);
    }
    // Each time is later than the one before: keys sort by it, and the calls of one millisecond keep their order.
    last = Math.max(Date.now(), last + 1);
    var key = 'orderbeacon:' + last.toString(36) + bits;
    var call: string;
    var store = function () {
      try {
        localStorage.setItem(key, call);
      } catch (_) {}
    };
    try {
      call = JSON.stringify({ global: name, command: command, value: value }, function (_, part) {
        // As the script does: a BigInt becomes its text, and a field that cannot be written is left out.
        if (typeof part === 'bigint') return '' + part;
        try {
          return (this !== value || JSON.stringify(part)) && part;
        } catch (_) {}
      });
      // The page may change its object before the script has loaded. If a library has added `toJSON` to all objects, the
      // JSON has no value.
      value = JSON.parse(call).value || value;
      // A prerendered page stores nothing yet, because perhaps no person ever opens it.
      if (document.prerendering) document.addEventListener('prerenderingchange', store);
      else store();
    } catch (_) {}
    return (
      page.Promise &&
      Promise.resolve({
        status: 'pending',
        final: new Promise(function (done) {
          stub.q.push([command, value, key, done]);
        }),
      })
    );
  };
  stub.q = [];
  stub.orderbeacon = 1;
  stub.visitorId = function () {};
  page[name] = stub;
})('track');

export {};
