// Searches the list of all documents, which has their titles, first sentences and headings.
(() => {
  const input = document.querySelector('[type=search]');
  const found = document.getElementById('found');
  // Another page's form leads to the list.
  if (!found) return;
  const entries = [...document.querySelectorAll('main li')];
  const lists = [...document.querySelectorAll('main ul')];
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  input.form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', search);
  search();

  /** Leaves the entries that have each word, and the headings of lists that have such entries. */
  function search() {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    }
    for (const list of lists) {
      list.previousElementSibling.hidden = list.hidden = !list.querySelector('li:not([hidden])');
    }
    const count = entries.filter(({ hidden }) => !hidden).length;
    found.textContent = input.value.trim() && `${count} of ${entries.length} documents`;
  }
})();
