// Keeps a page up to date. While it is visible it asks every 2 s for the version of the newest data. If the version has
// changed, it fetches itself and replaces its parts with `data-fresh`.
(() => {
  // After a form, the address of the page may lead elsewhere, so `data-page` names the page.
  const { live, since, page = location.href } = document.body.dataset;
  if (!live) return;
  const everyMs = 2_000;
  /** Data that is older than the page by more than this is on it. Less is unsure: orders are committed later, and clocks differ. */
  const lookBackMs = 5_000;
  const notify = createNotify();
  let version;
  let planned;
  let isLooking = false;
  let state = '';

  /** Shows the state of updates, if the page has an element for it. */
  function say(words) {
    state = words;
    const region = document.getElementById('live');
    if (region) region.textContent = words;
  }

  /** Asks for the version, fetches the page if it has changed, and plans the next question: later if the server is slow. */
  async function look() {
    clearTimeout(planned);
    if (isLooking) return;
    isLooking = true;
    const askedMs = performance.now();
    try {
      const answer = await fetch(live, { redirect: 'manual' });
      if (answer.type === 'opaqueredirect') return say('You are signed out. Reload this page to sign in.');
      if (!answer.ok) throw new Error(answer.statusText);
      const [newest, latestMs] = (await answer.text()).split(' ');
      say('New orders appear automatically.');
      const isNew = version ? newest !== version : latestMs > since - lookBackMs;
      if (isNew) await refresh();
      version = newest;
    } catch {
      say('The connection is lost; trying again …');
    } finally {
      isLooking = false;
    }
    const pauseMs = Math.max(everyMs, 10 * (performance.now() - askedMs));
    planned = document.hidden ? undefined : setTimeout(look, pauseMs);
  }

  async function refresh() {
    const response = await fetch(page);
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    replaceParts(await response.text());
  }

  function replaceParts(html) {
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    const known = new Map(rows().map((row) => [row.id, row.textContent]));
    for (const shown of document.querySelectorAll('[data-fresh]')) {
      const fresh = parsed.querySelector(`[data-fresh="${shown.dataset.fresh}"]`);
      // After the first order, the team's overview is another page.
      if (!fresh && shown.dataset.fresh === 'welcome') return location.reload();
      if (fresh && fresh.innerHTML !== shown.innerHTML) replacePart(shown, fresh);
    }
    say(state);
    const arrived = rows().filter(({ id }) => !known.has(id));
    for (const row of arrived) row.classList.add('arrived');
    // Rows may be new on the page but old in time, and an empty page has no rows before. So only orders since it was loaded count.
    notify(arrived.filter(({ dataset }) => Number(dataset.at) >= Number(since)));
    document.dispatchEvent(new Event('fresh'));
  }

  function rows() {
    return [...document.querySelectorAll('#orders tbody tr[id]')];
  }

  /** Replaces a part of the page. Unfolded elements stay so, and the focus stays on the same element. */
  function replacePart(shown, fresh) {
    const focusable = 'a, button, summary, input, select, [tabindex]';
    const isOpen = [...shown.querySelectorAll('details')].map(({ open }) => open);
    // Somebody is filling in the form of a menu.
    if (shown.querySelector('details[open] :is(input, select):focus')) return;
    const focus = [...shown.querySelectorAll(focusable)].indexOf(document.activeElement);
    for (const [at, details] of fresh.querySelectorAll('details').entries())
      details.open = isOpen[at] ?? details.open;
    shown.replaceChildren(...fresh.childNodes);
    if (focus >= 0) shown.querySelectorAll(focusable)[focus]?.focus({ preventScroll: true });
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(planned);
    else look();
  });
  if (!document.hidden) look();

  /** Creates the function that announces new orders to screen readers, at most every 10 s. */
  function createNotify() {
    const everyMs = 10_000;
    const news = document.createElement('p');
    news.className = 'hidden';
    news.setAttribute('role', 'status');
    document.getElementById('content').append(news);
    let untold = [];
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

    return function notify(rows) {
      untold.push(...rows);
      if (!pause) speak();
    };
  }
})();
