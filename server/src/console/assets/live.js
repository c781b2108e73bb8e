// Follows what arrives: a page that somebody looks at asks every 2 s what is newest. When that has changed, it fetches itself and
// replaces its parts with `data-fresh`.
(() => {
  // The answer to a form is at an address that may lead elsewhere.
  const { live, since, page = location.href } = document.body.dataset;
  if (!live) return;
  const everyMs = 2_000;
  /** News that are older than the page by more than this are on it: an order may be committed later, and clocks differ. */
  const lookBackMs = 5_000;
  const notify = createNotify();
  let version;
  let planned;
  let isLooking = false;
  let state = '';

  /** Says how the page follows: where it has a place for that. */
  function say(words) {
    state = words;
    const region = document.getElementById('live');
    if (region) region.textContent = words;
  }

  /** Asks what is newest, fetches the page if that has changed, and asks again later: less often where the server is slow. */
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
      // With its first order a team's overview is another page.
      if (!fresh && shown.dataset.fresh === 'welcome') return location.reload();
      if (fresh && fresh.innerHTML !== shown.innerHTML) replacePart(shown, fresh);
    }
    say(state);
    const arrived = rows().filter(({ id }) => !known.has(id));
    for (const row of arrived) row.classList.add('arrived');
    // A page of one list shows orders that it had not; one that was empty has no list before.
    notify(arrived.filter(({ dataset }) => Number(dataset.at) >= Number(since)));
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
    if (document.hidden) clearTimeout(planned);
    else look();
  });
  if (!document.hidden) look();

  /** Makes the function that tells screen readers of new orders, at most every 10 s. */
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
