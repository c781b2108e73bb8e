// Adds orders and refused reports to their lists as they arrive, and replaces those that change.
(() => {
  const table = document.getElementById('orders');
  const status = document.getElementById('live');
  const none = document.getElementById('none');
  if (!table?.dataset.live || !window.EventSource) return;
  const refusedNow = document.getElementById('refused-now');
  const refused = document.getElementById('refused');

  /** Puts rows into a table, the newest first. They come from this server, which has escaped every text in them. */
  function putAll(body, rows, rowsAtMost) {
    const template = document.createElement('template');
    template.innerHTML = rows;
    for (const row of [...template.content.children].reverse()) put(body, row);
    while (body.rows.length > rowsAtMost) body.lastElementChild.remove();
  }

  function put(body, row) {
    const known = document.getElementById(row.id);
    row.classList.add('arrived');
    if (known) {
      if (known.innerHTML !== row.innerHTML) known.replaceWith(row);
      return;
    }
    const next = [...body.rows].find((other) => Number(other.dataset.at) <= Number(row.dataset.at));
    body.insertBefore(row, next ?? null);
  }

  function connect(since) {
    const address = new URL(table.dataset.live, location.href);
    address.searchParams.set('since', since);
    const source = new EventSource(address);
    source.addEventListener('hello', () => {
      status.textContent = 'New orders appear here by themselves.';
    });
    source.addEventListener('orders', ({ data, lastEventId }) => {
      since = lastEventId;
      putAll(table.tBodies[0], data, 100);
      none.hidden = table.tBodies[0].rows.length > 0;
    });
    source.addEventListener('refused', ({ data, lastEventId }) => {
      since = lastEventId;
      putAll(refused.tBodies[0], data, 5);
      refusedNow.hidden = false;
    });
    source.addEventListener('error', () => {
      status.textContent = 'The connection is lost; trying again …';
      // After an answer that is no stream the browser gives up: signed out, too many pages, or the server is away.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => connect(since), 5000);
    });
  }
  connect(status.dataset.since);
})();
