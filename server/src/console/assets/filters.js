// Applies a filter when it changes, and keeps the focus on it. A custom range has a button, because two days belong to it.
(() => {
  const place = 'orderbeacon_filter';
  const form = document.querySelector('form.filters[method=get]');
  if (!form) return;
  const isCustom = () => form.elements.range?.value === 'custom';
  form.addEventListener('change', ({ target }) => {
    if (isCustom()) {
      if (target.name === 'range') form.elements.from.focus();
      return;
    }
    try {
      sessionStorage.setItem(place, target.name);
    } catch {}
    form.requestSubmit();
  });
  // A page that the browser has kept shows its own filters again, and not those that led away from it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) form.reset();
  });
  try {
    const name = sessionStorage.getItem(place);
    sessionStorage.removeItem(place);
    form.elements[name]?.focus({ preventScroll: true });
  } catch {}
})();
