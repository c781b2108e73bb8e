// Posts the token of the link, and takes it out of the address so that no history keeps it.
(() => {
  function signIn() {
    const token = location.hash.slice(1);
    if (token === '') return;
    history.replaceState(null, '', location.pathname);
    document.getElementById('token').value = token;
    document.getElementById('sign-in').submit();
  }
  signIn();
  // A link that is opened in a tab with this page loads nothing anew.
  addEventListener('hashchange', signIn);
})();
