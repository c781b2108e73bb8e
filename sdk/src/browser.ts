/**
 * Everything that the SDK uses of a page. Each file takes its part of it as a parameter, so it runs in a browser's
 * `window` and in a simulated one.
 */
export interface BrowserApis {
  readonly document: Pick<Document, 'cookie' | 'hidden' | 'prerendering' | 'referrer'> & {
    addEventListener(type: 'prerenderingchange', listener: () => void): void;
  };
  readonly location: Pick<Location, 'hostname' | 'origin' | 'pathname' | 'protocol' | 'search'>;
  /** Null in some Android WebViews. In Brave, sandboxed frames and with cookies blocked, reading it throws. */
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  readonly navigator: {
    readonly globalPrivacyControl?: boolean;
    sendBeacon(url: string, body: string): boolean;
  };
  readonly console: Pick<Console, 'error'>;
  /** Missing on pages where an old tool has removed it. */
  readonly AbortController?: new () => AbortController;
  /** On a page with datejs, `now` returns a Date. */
  readonly Date: { now(): number | Date };
  readonly Math: Pick<Math, 'random'>;
  /** Anything: a page may have a function of this name. */
  readonly crypto?: Partial<Pick<Crypto, 'getRandomValues'>>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  setTimeout(run: () => void, ms?: number): number;
  clearTimeout(timer: number | undefined): void;
  addEventListener(type: 'online' | 'pagehide' | 'visibilitychange', listener: () => void): void;
  addEventListener(type: 'storage', listener: (event: StorageEvent) => void): void;
}
