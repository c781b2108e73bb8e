// Adds a copy button to each text that is meant to be copied. One button at a time says “Copied”.
(() => {
  const shownMs = 3000;
  let putBack = () => {};

  for (const text of document.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'outline small';
    const words = document.createElement('span');
    // No `role`, because that would take the word from the button's name.
    words.setAttribute('aria-live', 'polite');
    words.textContent = 'Copy';
    button.append(words);
    if (text.dataset.copy) {
      const name = document.createElement('span');
      name.className = 'hidden';
      name.textContent = ` ${text.dataset.copy}`;
      button.append(name);
    }
    button.addEventListener('click', () => copy(text, words));
    text.after(button);
  }

  async function copy(text, words) {
    putBack();
    let said = 'Copied';
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      // Only https pages and this machine's own may write to the clipboard: a selection is one key away from it.
      getSelection().selectAllChildren(text);
      said = 'Selected: press Ctrl+C';
    }
    putBack();
    words.textContent = said;
    const timer = setTimeout(() => putBack(), shownMs);
    putBack = () => {
      clearTimeout(timer);
      words.textContent = 'Copy';
      putBack = () => {};
    };
  }
})();
