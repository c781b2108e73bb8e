import type { BrowserApis } from './browser';

/**
 * Runs `use`, of a page that the browser has prerendered when a person opens it. Nobody sees the page before that, and most
 * likely nobody ever will (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API).
 */
export const whenSeen = (document: BrowserApis['document'], use: () => void): void => {
  if (document.prerendering) document.addEventListener('prerenderingchange', use);
  else use();
};
