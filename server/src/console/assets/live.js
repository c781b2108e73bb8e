// Adds orders and refused reports to their lists as they arrive, replaces those that change, and tells of new orders.
(() => {
  const table = document.getElementById('orders');
  const status = document.getElementById('live');
  const none = document.getElementById('none');
  if (!table?.dataset.live || !window.EventSource) return;
  const refusedNow = document.getElementById('refused-now');
  const refused = document.getElementById('refused');
  const openedMs = Number(status.dataset.since);
  /** A page that nobody has seen for this long leaves its place to others. It catches up when it is seen again. */
  const hiddenMs = 10 * 60_000;
  const tell = createTell();
  let since = status.dataset.since;
  let source;
  let hiding;
  /** Ids of the orders that have arrived, so that one that changes later is not told as new. */
  const arrived = new Set();
  const arrivedAtMost = 10_000;

  /** Puts rows into a table, the newest first. They come from this server, which has escaped every text in them. */
  function putAll(body, rows, rowsAtMost) {
    const template = document.createElement('template');
    template.innerHTML = rows;
    const all = [...template.content.children].reverse();
    const fresh = all.filter(isNew);
    const changed = all.filter((row) => put(body, row));
    const isFull = body.rows.length > rowsAtMost;
    while (body.rows.length > rowsAtMost) body.lastElementChild.remove();
    if (isFull && body === table.tBodies[0]) moveOlder(body.lastElementChild);
    return { fresh, isChange: fresh.length + changed.length > 0 };
  }

  /** Lets the link to older orders begin after the last row. */
  function moveOlder({ id, dataset }) {
    const older = document.getElementById('older');
    if (!older) return;
    const address = new URL(older.href);
    address.searchParams.set('before', `${dataset.at}.${id}`);
    older.href = address;
    older.hidden = false;
  }

  function isNew(row) {
    const isKnown = arrived.has(row.id) || document.getElementById(row.id) !== null;
    arrived.add(row.id);
    if (arrived.size > arrivedAtMost) arrived.delete(arrived.values().next().value);
    return !isKnown && Number(row.dataset.at) >= openedMs;
  }

  /** Puts a row in its place. Returns true when it replaces one with other content. */
  function put(body, row) {
    const known = document.getElementById(row.id);
    row.classList.add('arrived');
    if (known) {
      const isOther = contentOf(known) !== contentOf(row);
      if (isOther) known.replaceWith(row);
      return isOther;
    }
    const next = [...body.rows].find((other) => Number(other.dataset.at) <= Number(row.dataset.at));
    body.insertBefore(row, next ?? null);
    return false;
  }

  /** Returns the HTML of a row without how long ago it was, which is another one every minute. */
  function contentOf(row) {
    const copy = row.cloneNode(true);
    for (const ago of copy.querySelectorAll('.ago')) ago.remove();
    return copy.innerHTML;
  }

  function connect() {
    const address = new URL(table.dataset.live, location.href);
    address.searchParams.set('since', since);
    // Another tab may have switched to another team.
    address.searchParams.set('team', document.documentElement.dataset.team);
    const stream = new EventSource(address);
    source = stream;
    // What a stream sends first, the page may have already.
    let isFirst = true;
    stream.addEventListener('hello', () => {
      status.textContent = 'New orders appear here by themselves.';
    });
    stream.addEventListener('orders', ({ data, lastEventId }) => {
      since = lastEventId;
      const { fresh, isChange } = putAll(table.tBodies[0], data, Number(table.dataset.rows));
      none.hidden = table.tBodies[0].rows.length > 0;
      tell(fresh);
      if (isChange || !isFirst) document.dispatchEvent(new Event('arrived'));
      isFirst = false;
    });
    stream.addEventListener('refused', ({ data, lastEventId }) => {
      since = lastEventId;
      if (refused) {
        putAll(refused.tBodies[0], data, 5);
        refusedNow.hidden = false;
      }
      document.dispatchEvent(new Event('arrived'));
    });
    stream.addEventListener('error', () => {
      status.textContent = 'The connection is lost; trying again …';
      if (stream.readyState !== EventSource.CLOSED) return;
      // After an answer that is no stream the browser gives up: signed out, too many pages, or the server is away.
      setTimeout(async () => {
        const end = await findEnd(address);
        if (source !== stream) return;
        if (end) status.textContent = end;
        else connect();
      }, 5000);
    });
  }

  /** Finds out why there will be no stream any more; undefined where there may be one. */
  async function findEnd(address) {
    try {
      const { type, status } = await fetch(address, { method: 'HEAD', redirect: 'manual' });
      if (type === 'opaqueredirect') return 'You are signed out. Reload this page to sign in.';
      if (status === 404) return 'This browser now looks at another team. Reload this page.';
    } catch {
      // The server is away.
    }
  }

  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (!document.hidden) {
      if (!source) connect();
      return;
    }
    hiding = setTimeout(() => {
      source?.close();
      source = undefined;
    }, hiddenMs);
  });
  connect();

  /**
   * Makes the function that tells of new orders: to screen readers, at most every 10 s, and in the title, with their number
   * since the page was last seen.
   */
  function createTell() {
    const pauseMs = 10_000;
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
      news.textContent =
        untold.length === 1
          ? `New order: ${untold[0].querySelector('.number').textContent.trim()}`
          : `${untold.length} new orders`;
      untold = [];
      pause = setTimeout(() => {
        pause = undefined;
        speak();
      }, pauseMs);
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
