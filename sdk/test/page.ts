import { Window } from 'happy-dom';
import { vi } from 'vitest';

/** What a test may look at and steer in its page. */
export interface Page {
  window: Window;
  /** What the page handed to `sendBeacon`. */
  beacons: { url: string; body: string }[];
  /** What the page complained about. */
  errors: string[];
  /** As if the visitor switched to another tab, or back. */
  setHidden(isHidden: boolean): void;
}

/**
 * Opens a page at that URL: a DOM, cookies and localStorage of happy-dom, Node's own fetch. Put away by
 * `vi.unstubAllGlobals()`.
 * @param navigator replaces parts of the browser, such as `locks`
 */
export function openPage(url: string, navigator: object = {}): Page {
  const window = new Window({ url });
  const beacons: Page['beacons'] = [];
  const errors: string[] = [];
  let hidden = false;
  Object.defineProperty(window.document, 'hidden', { get: () => hidden });
  const globals = {
    document: window.document,
    location: window.location,
    origin: window.location.origin,
    localStorage: window.localStorage,
    addEventListener: window.addEventListener.bind(window),
    window: globalThis,
    navigator: {
      sendBeacon: (to: string, body: string) => beacons.push({ url: to, body }) > 0,
      ...navigator,
    },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.spyOn(console, 'error').mockImplementation((text: string) => errors.push(text));
  return {
    window,
    beacons,
    errors,
    setHidden(isHidden) {
      hidden = isHidden;
      window.dispatchEvent(new window.Event('visibilitychange'));
    },
  };
}
