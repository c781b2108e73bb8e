// Scrolls the contents to the current document.
(() => {
  const here = document.querySelector('.contents [aria-current]');
  if (here) here.closest('nav').scrollTop = here.offsetTop - here.closest('nav').clientHeight / 2;
})();
// Searches all documents by their texts. The list itself only has their titles, first sentences and headings.
(() => {
  const input = document.querySelector('[type=search]');
  const found = document.getElementById('found');
  // The form of another page leads to the list.
  if (!found) return;
  const entries = [...document.querySelectorAll('main li')];
  const lists = [...document.querySelectorAll('main ul')];
  let texts = {};
  // A reader may have typed before this script was loaded.
  input.value ||= new URLSearchParams(location.search).get('q') ?? '';
  input.form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', search);
  // The texts are only loaded for a reader who searches.
  input.addEventListener('focus', load, { once: true });
  search();
  if (input.value || document.activeElement === input) load();

  async function load() {
    // Without the texts, only titles and headings are searched.
    texts = await fetch('docs/search.json').then(
      (answer) => answer.json(),
      () => ({}),
    );
    search();
  }

  /**
   * Shows only the entries that have each word. If only the text has a word, shows a part of the text. Hides the
   * headings of empty lists.
   */
  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) {
      entry.querySelector('.found')?.remove();
      const own = entry.textContent.toLowerCase();
      const text = texts[entry.querySelector('a').getAttribute('href')] ?? '';
      const whole = `${own} ${text.toLowerCase()}`;
      entry.hidden = !words.every((word) => whole.includes(word));
      const only = words.find((word) => !own.includes(word));
      if (!entry.hidden && only) entry.append(piece(text, only));
    }
    for (const list of lists) {
      list.previousElementSibling.hidden = list.hidden = !list.querySelector('li:not([hidden])');
    }
    const count = entries.filter(({ hidden }) => !hidden).length;
    found.textContent = words.length > 0 ? `${count} of ${entries.length} documents` : '';
  }

  /** Returns an element with the text around the first occurrence of a word. */
  function piece(text, word) {
    const at = text.toLowerCase().indexOf(word);
    const line = document.createElement('small');
    line.className = 'found';
    line.textContent = `… ${text.slice(Math.max(0, at - 60), at + 90)} …`;
    return line;
  }
})();
