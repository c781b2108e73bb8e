// Adds a copy button to each text that is meant to be copied.
for (const text of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'outline small';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = 'Copied';
    } catch {
      // Only https pages and this machine's own may write to the clipboard: a selection is one key away from it.
      getSelection().selectAllChildren(text);
      button.textContent = 'Selected: press Ctrl+C';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 3000);
  });
  text.after(button);
}
