// Keeps “5 min ago” true, in lists that grow too. The words are those of the server (`formatAgo`).
(() => {
  const { locale } = document.documentElement.dataset;
  const words = new Intl.RelativeTimeFormat(/^en\b/.test(locale) ? 'en-GB' : locale, {
    numeric: 'auto',
    style: 'short',
  });

  function tell(minutes) {
    if (minutes < 1) return words.format(0, 'second');
    return minutes < 60 ? words.format(-minutes, 'minute') : words.format(-Math.floor(minutes / 60), 'hour');
  }

  function refresh() {
    for (const time of document.querySelectorAll('time[data-ago]')) {
      const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000);
      const text = tell(minutes);
      const shown = time.lastElementChild;
      // After a day the time itself says more.
      if (minutes >= 24 * 60) time.replaceWith(withoutAgo(time));
      else if (shown.textContent !== text) shown.textContent = text;
    }
  }

  function withoutAgo(time) {
    const plain = time.cloneNode();
    delete plain.dataset.ago;
    plain.textContent = time.firstElementChild.textContent;
    return plain;
  }

  setInterval(refresh, 15_000);
  document.addEventListener('visibilitychange', refresh);
})();
