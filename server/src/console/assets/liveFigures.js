// Fetches the figures of this page again when orders have arrived, at most every 15 s, and only while the page is seen.
(() => {
  const everyMs = 15_000;
  let fetchedMs = Number.NEGATIVE_INFINITY;
  let isStale = false;
  let planned;

  function plan() {
    if (!isStale || planned || document.hidden) return;
    planned = setTimeout(refresh, Math.max(0, fetchedMs + everyMs - performance.now()));
  }

  async function refresh() {
    clearTimeout(planned);
    planned = undefined;
    if (document.hidden) return;
    isStale = false;
    fetchedMs = performance.now();
    try {
      const response = await fetch(location.href);
      if (response.ok) replaceParts(await response.text());
    } catch {
      // The server is away. The next order tries again.
    }
    plan();
  }

  function replaceParts(html) {
    const page = new DOMParser().parseFromString(html, 'text/html');
    // Another tab may have switched to another team.
    if (page.documentElement.dataset.team !== document.documentElement.dataset.team) return;
    for (const shown of document.querySelectorAll('[data-fresh]')) {
      const fresh = page.querySelector(`[data-fresh="${shown.dataset.fresh}"]`);
      if (fresh) replacePart(shown, fresh);
    }
    document.dispatchEvent(new Event('figures'));
  }

  /** Replaces a part of the page. What was unfolded stays so, and the focus stays where it was. */
  function replacePart(shown, fresh) {
    const focusable = 'a, button, summary, [tabindex]';
    const isOpen = [...shown.querySelectorAll('details')].map(({ open }) => open);
    const focus = [...shown.querySelectorAll(focusable)].indexOf(document.activeElement);
    for (const [at, details] of fresh.querySelectorAll('details').entries())
      details.open = isOpen[at] ?? false;
    shown.replaceChildren(...fresh.childNodes);
    if (focus >= 0) shown.querySelectorAll(focusable)[focus]?.focus({ preventScroll: true });
  }

  document.addEventListener('arrived', () => {
    isStale = true;
    plan();
  });
  document.addEventListener('visibilitychange', plan);
})();
