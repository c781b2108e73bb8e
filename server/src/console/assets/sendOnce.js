// Sends a form once, also where its button is pressed twice before the answer comes.
(() => {
  const pauseMs = 2_000;
  const sentMs = new WeakMap();
  document.addEventListener('submit', (event) => {
    const { target, timeStamp } = event;
    if (target.method !== 'post') return;
    if (timeStamp - sentMs.get(target) < pauseMs) event.preventDefault();
    else sentMs.set(target, timeStamp);
  });
})();
