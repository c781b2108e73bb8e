// Requests go to the page's own origin, not to the public URL, because routes with a key answer no CORS.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
async function start() {
  const answer = await fetch('../openapi.json');
  const spec = await answer.json();
  spec.servers = [{ url: new URL('..', location.href).href.replace(/\/$/, '') }];
  SwaggerUIBundle({ spec, dom_id: '#docs', validatorUrl: null, tryItOutEnabled: true, deepLinking: true });
}
start().catch((error) => {
  document.getElementById('docs').textContent = `The document could not be loaded: ${error.message}`;
});
