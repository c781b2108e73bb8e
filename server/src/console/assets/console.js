// The script of every page: it applies filters, sends forms once, closes menus, offers a time zone, and copies texts.
(() => {
  let copied;
  applyFilters();
  sendOnce();
  closeMenus();
  offerZone();
  document.addEventListener('fresh', showCopy);
  showCopy();

  /** Applies a filter when it changes, and keeps the focus on it. A custom range has a button, because it needs two days. */
  function applyFilters() {
    const storageKey = 'orderbeacon_filter';
    const form = document.querySelector('form.filters');
    if (!form) return;
    form.addEventListener('change', ({ target }) => {
      if (form.elements.range?.value === 'custom') {
        if (target.name === 'range') form.elements.from.focus();
        return;
      }
      try {
        sessionStorage.setItem(storageKey, target.name);
      } catch {}
      form.requestSubmit();
    });
    // A page from the browser's cache shows its own filters again, and not the filters that led to the next page.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) form.reset();
    });
    try {
      const name = sessionStorage.getItem(storageKey);
      sessionStorage.removeItem(storageKey);
      form.elements[name]?.focus({ preventScroll: true });
    } catch {}
  }

  /** Sends a form once, even if its button is pressed twice before the answer comes. */
  function sendOnce() {
    const pauseMs = 2_000;
    const sentMs = new WeakMap();
    document.addEventListener('submit', (event) => {
      const { target, timeStamp } = event;
      if (target.method !== 'post') return;
      if (timeStamp - sentMs.get(target) < pauseMs) event.preventDefault();
      else sentMs.set(target, timeStamp);
    });
  }

  /** Closes an open menu by Escape, and gives the focus back to its button. */
  function closeMenus() {
    document.addEventListener('keydown', ({ key }) => {
      const menu = key === 'Escape' && document.querySelector('details.dropdown[open]');
      if (!menu) return;
      menu.open = false;
      menu.querySelector('summary').focus();
    });
  }

  /** Offers the browser's time zone, if the page has an element for the offer. */
  function offerZone() {
    const offer = document.getElementById('zone');
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    if (!offer || !timeZone || timeZone === 'UTC') return;
    offer.querySelector('input').value = timeZone;
    offer.querySelector('button span').textContent = timeZone;
    offer.hidden = false;
  }

  /** Shows the buttons that copy the text below them. Only the last one says “Copied”. */
  function showCopy() {
    for (const button of document.querySelectorAll('[data-copy][hidden]')) {
      button.hidden = false;
      const text = button.parentElement.nextElementSibling;
      const words = button.firstChild;
      button.addEventListener('click', () => copy(text, words));
    }
  }

  async function copy(text, words) {
    putBack();
    let outcome = 'Copied';
    try {
      await navigator.clipboard.writeText(text.textContent.trimEnd());
    } catch {
      // Only pages on https or of this machine may write to the clipboard. Otherwise the text is selected, for Ctrl+C.
      getSelection().selectAllChildren(text);
      outcome = 'Selected: press Ctrl+C';
    }
    putBack();
    words.textContent = outcome;
    const timer = setTimeout(putBack, 3000);
    copied = () => {
      clearTimeout(timer);
      words.textContent = 'Copy';
    };
  }

  function putBack() {
    copied?.();
    copied = undefined;
  }
})();
