import { Window } from 'happy-dom';
import { vi } from 'vitest';

/** A simulated page that a test observes and controls. */
export interface Page {
  window: Window;
  /** The bodies that the page passed to `sendBeacon`. */
  beacons: { url: string; body: string }[];
  /** The lines that the page wrote to the console. */
  errors: string[];
  /** Hides or shows the page, as when the visitor switches tabs. */
  setHidden(isHidden: boolean): void;
}

let openWindow: Window | undefined;

/**
 * Returns the storage of a page: the one that the test has set, until another page is opened. A tracker of an earlier test
 * may wait for its next try, and must not write into the storage of this page.
 */
const storageOf = (window: Window) => (window === openWindow ? globalThis.localStorage : window.localStorage);

/**
 * Opens a page at a URL, with the DOM, cookies and localStorage of happy-dom and with Node's fetch.
 * `vi.unstubAllGlobals()` removes it.
 * @param navigator replaces parts of the browser, such as `locks`
 */
export function openPage(url: string, navigator: object = {}): Page {
  const window = new Window({ url });
  openWindow = window;
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
    window: new Proxy(globalThis, {
      get: (target, name) => (name === 'localStorage' ? storageOf(window) : Reflect.get(target, name)),
    }),
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
