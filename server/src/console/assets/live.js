// Follows what arrives: at each word of the server that something is new, the page fetches itself and replaces its parts with
// `data-fresh`, at most once a second, and less often where the server is slow or nobody looks.
(() => {
  const { live, since } = document.body.dataset;
  if (!live || !window.EventSource) return;
  const pauseMs = 1_000;
  /** A page that nobody sees follows for its title alone. */
  const hiddenPauseMs = 10_000;
  /** A page that nobody has seen for this long leaves its place to others. It catches up when it is seen again. */
  const hiddenMs = 10 * 60_000;
  const tell = createTell();
  let source;
  let hiding;
  let isStale = false;
  let isFetching = false;
  let planned;
  let fetchedMs = Number.NEGATIVE_INFINITY;
  let tookMs = 0;

  /** Says how the page follows: where it has a place for that. */
  function say(words) {
    const place = document.getElementById('live');
    if (place) place.textContent = words;
  }
  let state = '';
  function setState(words) {
    state = words;
    say(words);
  }

  function connect() {
    const address = new URL(live, location.href);
    address.searchParams.set('since', since);
    const stream = new EventSource(address);
    let wasLost = source !== undefined;
    source = stream;
    stream.addEventListener('hello', () => {
      setState('New orders appear automatically.');
      // What came while there was no connection.
      if (wasLost) refreshSoon();
      wasLost = true;
    });
    stream.addEventListener('news', refreshSoon);
    stream.addEventListener('error', () => {
      setState('The connection is lost; trying again …');
      if (stream.readyState !== EventSource.CLOSED) return;
      // After an answer that is no stream the browser gives up: signed out, too many pages, or the server is away.
      setTimeout(async () => {
        const isOut = await isSignedOut(address);
        if (source !== stream) return;
        if (isOut) setState('You are signed out. Reload this page to sign in.');
        else connect();
      }, 5000);
    });
  }

  async function isSignedOut(address) {
    try {
      const { type } = await fetch(address, { method: 'HEAD', redirect: 'manual' });
      return type === 'opaqueredirect';
    } catch {
      return false;
    }
  }

  function refreshSoon() {
    isStale = true;
    if (planned || isFetching) return;
    const pause = document.hidden ? hiddenPauseMs : Math.max(pauseMs, 10 * tookMs);
    planned = setTimeout(refresh, Math.max(0, fetchedMs + pause - performance.now()));
  }

  async function refresh() {
    clearTimeout(planned);
    planned = undefined;
    isStale = false;
    isFetching = true;
    fetchedMs = performance.now();
    try {
      const response = await fetch(location.href);
      if (response.ok && !response.redirected) replaceParts(await response.text());
    } catch {
      // The server is away. The next word of it, or the next connection, tries again.
    }
    tookMs = performance.now() - fetchedMs;
    isFetching = false;
    if (isStale) refreshSoon();
  }

  function replaceParts(html) {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const known = new Map(rows().map((row) => [row.id, row.textContent]));
    for (const shown of document.querySelectorAll('[data-fresh]')) {
      const fresh = page.querySelector(`[data-fresh="${shown.dataset.fresh}"]`);
      // With its first order a team's overview is another page.
      if (!fresh && shown.dataset.fresh === 'welcome') return location.reload();
      if (fresh && fresh.innerHTML !== shown.innerHTML) replacePart(shown, fresh);
    }
    say(state);
    const arrived = rows().filter(({ id }) => !known.has(id));
    for (const row of arrived) row.classList.add('arrived');
    // A page of one list shows orders that it had not; one that was empty has no list before.
    tell(arrived.filter(({ dataset }) => Number(dataset.at) >= Number(since)));
    document.dispatchEvent(new Event('fresh'));
  }

  function rows() {
    return [...document.querySelectorAll('#orders tbody tr[id]')];
  }

  /** Replaces a part of the page. What was unfolded stays so, and the focus stays where it was. */
  function replacePart(shown, fresh) {
    const focusable = 'a, button, summary, input, select, [tabindex]';
    const isOpen = [...shown.querySelectorAll('details')].map(({ open }) => open);
    // A menu with a form that somebody fills in.
    if (shown.querySelector('details[open] :is(input, select):focus')) return;
    const focus = [...shown.querySelectorAll(focusable)].indexOf(document.activeElement);
    for (const [at, details] of fresh.querySelectorAll('details').entries())
      details.open = isOpen[at] ?? details.open;
    shown.replaceChildren(...fresh.childNodes);
    if (focus >= 0) shown.querySelectorAll(focusable)[focus]?.focus({ preventScroll: true });
  }

  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (!document.hidden) {
      if (!source) connect();
      if (planned) {
        clearTimeout(planned);
        planned = undefined;
        refreshSoon();
      }
      return;
    }
    hiding = setTimeout(() => {
      source?.close();
      source = null;
    }, hiddenMs);
  });
  connect();

  /**
   * Makes the function that tells of new orders: to screen readers, at most every 10 s, and in the title, with their number
   * since the page was last seen.
   */
  function createTell() {
    const everyMs = 10_000;
    const { title } = document;
    const news = document.createElement('p');
    news.className = 'hidden';
    news.setAttribute('role', 'status');
    document.getElementById('content').append(news);
    let untold = [];
    let unseen = 0;
    let pause;

    function speak() {
      if (untold.length === 0) return;
      const money = untold[0].querySelector('.value')?.textContent.trim();
      news.textContent = untold.length === 1 ? `New order: ${money}` : `${untold.length} new orders`;
      untold = [];
      pause = setTimeout(() => {
        pause = undefined;
        speak();
      }, everyMs);
    }

    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      unseen = 0;
      document.title = title;
    });

    return function tell(rows) {
      untold.push(...rows);
      if (!pause) speak();
      if (!document.hidden || rows.length === 0) return;
      unseen += rows.length;
      document.title = `(${unseen}) ${title}`;
    };
  }
})();
