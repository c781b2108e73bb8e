// Requests are sent to the page's origin, not to the public URL, because routes with an API key answer no CORS.
async function start() {
  const answer = await fetch('../openapi.json');
  const spec = await answer.json();
  spec.servers = [{ url: new URL('..', location.href).href.replace(/\/$/, '') }];
  const content = document.getElementById('content');
  new MutationObserver(() => mend(content)).observe(content, { childList: true, subtree: true });
  SwaggerUIBundle({
    spec,
    domNode: content,
    validatorUrl: null,
    tryItOutEnabled: true,
    deepLinking: true,
    // Its highlighter would set colours on each word of code.
    syntaxHighlight: false,
  });
}

/** Adds what Swagger UI lacks for people who use a screen reader or only the keyboard. */
function mend(content) {
  const each = (selector, change) => {
    for (const element of content.querySelectorAll(selector)) change(element);
  };
  const name = (selector, words) =>
    each(`${selector}:not([aria-label])`, (element) => element.setAttribute('aria-label', words));
  name('.information-container > section', 'About this API');
  name('section.schemes', 'Server and key');
  name('section.models', 'Schemas');
  name('select.examples-select-element', 'Example');
  name('select.content-type', 'Content type');
  name('select', 'Choice');
  name('textarea', 'Body');
  name('button.close-modal', 'Close');
  // Its label is not the text that it shows.
  each('button.auth[aria-label]', (button) => button.removeAttribute('aria-label'));
  // Swagger UI skips the second rank of headings.
  each(':is(h3, h4, h5):not([aria-level])', (heading) => {
    heading.setAttribute('aria-level', Number(heading.tagName[1]) - 1);
  });
  // A link within a button. The button opens the operation, and writes the same address.
  each('button a[href]', (link) => link.removeAttribute('href'));
  // Screen readers do not read a table with the role of a landmark as a table.
  each('table[role=region]', (table) => table.removeAttribute('role'));
  each('pre:not([tabindex])', (code) => code.setAttribute('tabindex', '0'));
}

start().catch((error) => {
  document.getElementById('content').textContent = `The document could not be loaded: ${error.message}`;
});
