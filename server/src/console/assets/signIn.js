// Posts the token of the link, and removes it from the address so that no history keeps it.
(() => {
  function signIn() {
    const token = location.hash.slice(1);
    if (token === '') return;
    history.replaceState(null, '', location.pathname);
    document.getElementById('token').value = token;
    document.getElementById('sign-in').submit();
  }
  signIn();
  // A tab that shows this page already does not load it again for another link.
  addEventListener('hashchange', signIn);
})();
