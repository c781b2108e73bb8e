import { readFileSync } from 'node:fs';
import type { SharedBrowser } from './browser';
import type { Network } from './network';
import type { Chance } from './random';
import type { ServerAnswer } from './server';
import type { Time } from './time';

/** A page of the shop in a tab. */
export interface SimulatedTab {
  /** The `window` of the page. */
  // biome-ignore lint/suspicious/noExplicitAny: a page may put anything under any name.
  readonly window: any;
  isOpen(): boolean;
  /** @returns true once the script has loaded */
  isTagged(): boolean;
  isFrozen(): boolean;
  wasFrozen(): boolean;
  runStub(): void;
  /** Loads the script. */
  runScript(attributes: Record<string, string>): void;
  /** Runs code of the page. If it throws, the simulation has failed. */
  run(code: () => void): void;
  setHidden(isHidden: boolean): void;
  setFrozen(isFrozen: boolean): void;
  /** The buyer leaves. The page gets its `pagehide` event. */
  close(): void;
  /** The browser kills the tab. The page gets no event. */
  die(): void;
  dispatch(type: string, event?: object): void;
}

const read = (file: string) => readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8');

/** The built files, which browsers get. */
const script = new Function('window', 'document', 'JSON', read('track.js'));
const stub = new Function(
  'window',
  'document',
  'localStorageOf',
  'Date',
  'Math',
  'Promise',
  read('stub.js').replaceAll('localStorage', 'localStorageOf()'),
);
/** Caches parsed JSON, because parsing took a third of the time. The script must not change parsed values. */
const parsed = new Map<string, unknown>();
const json = {
  stringify: JSON.stringify,
  parse(text: string, reviver?: (name: string, value: unknown) => unknown) {
    if (reviver) return JSON.parse(text, reviver);
    if (!parsed.has(text)) {
      if (parsed.size > 500) parsed.clear();
      parsed.set(text, Object.freeze(JSON.parse(text)));
    }
    return parsed.get(text);
  },
};

/** A minimal AbortController. */
class Aborter {
  signal: { onAbort: () => void } = { onAbort: () => {} };
  abort() {
    this.signal.onAbort();
  }
}

const toResponse = ({ status, body, retryAfter }: ServerAnswer) => ({
  status,
  headers: { get: () => retryAfter ?? null },
  json: async () => JSON.parse(body),
});

/** Opens a tab. `keepsAlive` is set if its browser supports `keepalive`, so that requests outlive their page. */
export function openTab(
  time: Time,
  chance: Chance,
  network: Network,
  browser: SharedBrowser,
  keepsAlive: boolean,
  onError: (error: unknown) => void,
): SimulatedTab {
  const listeners = new Map<string, ((event: object) => void)[]>();
  /** Events that arrived while the tab was frozen. */
  let missed: (() => void)[] = [];
  let isAlive = true;
  let isFrozen = false;
  let wasFrozen = false;
  let isTagged = false;
  let isHidden = false;
  let timers = 0;
  const cleared = new Set<number>();

  const run = (code: () => void) => {
    if (!isAlive) return;
    if (isFrozen) {
      missed.push(code);
      return;
    }
    browser.runningTab = tab;
    try {
      code();
    } catch (error) {
      onError(error);
    }
  };

  /** Reports for which this page got an answer with the stored order. */
  const answered = new Set<string>();

  const carry = (
    body: string,
    onAnswer: (answer: ServerAnswer) => void,
    onCut: () => void,
    outlives: boolean,
  ) => {
    if (outlives)
      return network.carry(
        body,
        (answer) => run(() => onAnswer(answer)),
        () => run(onCut),
      );
    // The request leaves after some milliseconds. Until then it is lost if its page goes.
    time.plan(chance.between(1, 50), () => {
      if (isAlive)
        network.carry(
          body,
          (answer) => run(() => onAnswer(answer)),
          () => run(onCut),
        );
      else network.requests++;
    });
  };

  const document = {
    get hidden() {
      return isHidden;
    },
    get cookie() {
      return browser.readCookies();
    },
    set cookie(text: string) {
      browser.writeCookie(text);
    },
    referrer: '',
    currentScript: {},
    prerendering: false,
  };

  const window: SimulatedTab['window'] = {
    document,
    location: {
      hostname: 'shop.example',
      origin: 'https://shop.example',
      protocol: 'https:',
      pathname: '/',
      search: '',
    },
    get localStorage() {
      return browser.storage();
    },
    navigator: {
      sendBeacon(_url: string, body: string) {
        if (chance.is(0.1)) return false;
        network.carry(
          body,
          () => {},
          () => {},
        );
        return true;
      },
    },
    crypto: { getRandomValues: (bits: Uint32Array) => bits.map(() => chance.next() * 2 ** 32) },
    console: { error: () => {} },
    Date: { now: () => Math.floor(time.nowMs() + browser.clockOffsetMs) },
    Math: { random: chance.next, max: Math.max },
    Promise,
    AbortController: Aborter,
    setTimeout(code: () => void, ms = 0) {
      const timer = ++timers;
      // As in browsers, a delay above 31 bits fires immediately, and some timers fire a little early.
      const delayMs = ms > 2 ** 31 - 1 ? 0 : Math.max(0, ms - chance.next());
      time.plan(delayMs, () => run(() => cleared.delete(timer) || code()));
      return timer;
    },
    clearTimeout(timer: number | undefined) {
      if (timer !== undefined) cleared.add(timer);
    },
    addEventListener(type: string, listener: (event: object) => void) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    fetch: (_url: string, init: { body: string; keepalive: boolean; signal: Aborter['signal'] }) =>
      new Promise((resolve, reject) => {
        const { reportId } = json.parse(init.body) as { reportId: string };
        if (answered.has(reportId)) onError(`${reportId} is sent again after its answer`);
        let isAborted = false;
        init.signal.onAbort = () => {
          isAborted = true;
          reject(new Error('AbortError'));
        };
        const onAnswer = (answer: ServerAnswer) => {
          const isStored = /"orderNumber"/.test(answer.body) && answer.body.includes(`"${reportId}"`);
          if (!isAborted && isStored) answered.add(reportId);
          resolve(toResponse(answer));
        };
        const onCut = () => reject(new TypeError('Failed to fetch'));
        carry(init.body, onAnswer, onCut, init.keepalive && keepsAlive);
      }),
  };

  const dispatch: SimulatedTab['dispatch'] = (type, event = {}) =>
    run(() => {
      for (const listener of listeners.get(type) ?? []) run(() => listener(event));
    });

  const die = () => {
    isAlive = false;
    missed = [];
  };

  const tab: SimulatedTab = {
    window,
    isOpen: () => isAlive,
    isTagged: () => isTagged,
    isFrozen: () => isFrozen,
    wasFrozen: () => wasFrozen,
    run,
    dispatch,
    die,
    runStub: () => run(() => stub(window, document, browser.storage, window.Date, window.Math, Promise)),
    runScript: (attributes) =>
      run(() => {
        const tag = {
          src: '',
          dataset: { endpoint: 'https://orders.shop.example', ...attributes },
        };
        document.currentScript = tag;
        script(window, document, json);
        isTagged = true;
      }),
    setHidden(hidden) {
      if (hidden === isHidden) return;
      isHidden = hidden;
      dispatch('visibilitychange');
    },
    setFrozen(frozen) {
      isFrozen = frozen;
      wasFrozen ||= frozen;
      if (!frozen) for (const code of missed.splice(0)) time.plan(0, () => run(code));
    },
    close() {
      tab.setFrozen(false);
      tab.setHidden(true);
      if (chance.is(0.7)) dispatch('pagehide');
      die();
    },
  };
  return tab;
}
