// Tells the server the browser's time zone, which its pages use for times, and reloads this page with it.
(() => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const cookie = `orderbeacon_zone=${encodeURIComponent(timeZone)}`;
  if (document.cookie.includes(cookie)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore API is not in every browser.
  document.cookie = `${cookie};path=/;max-age=31536000;samesite=strict`;
  const { zone } = document.documentElement.dataset;
  // Where cookies are blocked the page stays in the zone that it has.
  if (zone !== undefined && zone !== timeZone && document.cookie.includes(cookie)) location.reload();
})();
