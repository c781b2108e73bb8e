// biome-ignore-all lint/complexity/useArrowFunction: pages and tag managers paste it as ECMAScript 5.
// biome-ignore-all lint/complexity/useOptionalChain: the same.
// biome-ignore-all lint/correctness/noInnerDeclarations: the same.
// biome-ignore-all lint/style/useTemplate: the same.
// biome-ignore-all lint/suspicious/noVar: the same.
/**
 * The stub: the line that a page carries before its first call of `track()`. It stands in for the script until
 * that is there, and for good where it is blocked.
 *
 * - Each call is written to localStorage under an id of its own, which becomes the report's `reportId`. Whichever
 *   page of the site loads the script next sends it.
 * - Each call is also queued in memory, for storage may be blocked, full, cleared by the shop, or lie.
 * - The promise resolves at once, so nothing that awaits it hangs; `final` resolves when the script, loaded in this
 *   page, has the answer. Without `Promise` (Internet Explorer) it returns undefined.
 * - `visitorId()` gives undefined.
 * - An element with `id="track"` is `window.track` too, but no function, and is shadowed.
 */
(function (name) {
  // biome-ignore lint/suspicious/noExplicitAny: whatever a page has under that name.
  var page = window as any;
  if (typeof page[name] === 'function') return;
  // biome-ignore lint/suspicious/noExplicitAny: a function with properties.
  var stub: any = function (command: unknown, value: unknown) {
    var key = 'orderbeacon:' + Date.now().toString(36) + Math.random().toString(36).slice(2);
    try {
      localStorage.setItem(key, JSON.stringify({ global: name, command: command, value: value }));
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
  stub.visitorId = function () {};
  page[name] = stub;
})('track');

export {};
