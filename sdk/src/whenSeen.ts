import type { BrowserApis } from './browser';

/**
 * Runs `use`. If the browser has prerendered the page, runs it when a person opens the page, which most likely never happens
 * (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API).
 */
export const whenSeen = (document: BrowserApis['document'], use: () => void): void => {
  if (document.prerendering) document.addEventListener('prerenderingchange', use);
  else use();
};
