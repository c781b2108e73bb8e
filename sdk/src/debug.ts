/**
 * The log lines of `data-debug`. Only that attribute loads this second file, so it costs other pages no byte. It
 * loads before the tracker starts and observes the page's requests. The tracker itself is the same on every page.
 *
 * A shop with a build imports it during development: `import '@orderbeacon/sdk/debug.js'`. On a server it does nothing.
 */

import type { Failure, Order, OrderReport, Success } from './contract';
import { readJson } from './json';
import { isTeamId } from './options';
import type { WaitingReport } from './outbox';
import { keyPrefix } from './storage';

const route = '/svc-api/v1/orders';
/** Removes the query, which is the time of the try, from a URL. */
const addressOf = (url: string) => url.replace(/\?\d+$/, '');
/** Prints nothing if the shop has replaced the console with an object that has no `info`. */
const notify = (text: string, ...details: unknown[]) => console.info?.(`orderbeacon: ${text}`, ...details);

/** Lists waiting reports, and calls that a stub has stored and no script has taken yet. The latter have no `body`. */
const waiting = (): Partial<WaitingReport>[] => {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(keyPrefix))
      .map((key) => readJson(localStorage.getItem(key)))
      .filter(({ command }) => command !== 'consent');
  } catch {
    return [];
  }
};

const nameOf = ({ orderId, amount, currency }: OrderReport) =>
  `order ${orderId ?? '(without orderId: reported again, it would be another one)'} of ${amount} ${currency ?? '(without currency)'}`;

const notifyNextTry = () => {
  // By then the tracker has stored the time of the next try.
  setTimeout(() => {
    for (const { tries, at, busy, body } of waiting()) {
      if (busy || !at || !body) continue;
      const seconds = Math.max(0, Math.round((at - Date.now()) / 100) / 10);
      notify(
        `${nameOf(JSON.parse(body))} was tried ${tries} times; next in ${seconds} s, or on the next page`,
      );
    }
  }, 100);
};

async function notifyAnswer(report: OrderReport, response: Response) {
  const answer: Partial<Pick<Success<Order>, 'data'> & Failure> = Object(
    await response.json().catch(() => null),
  );
  if (answer.data?.reportId === report.reportId) {
    const { orderNumber, isNew, warnings = [] } = answer.data!;
    notify(
      `${nameOf(report)} is stored as ${orderNumber}${isNew ? '' : ', which was known already'}`,
      answer.data,
    );
    for (const { path, message } of warnings) notify(`warning: ${path} ${message}`);
    return;
  }
  const { error } = answer;
  const why = error?.code
    ? `${error.code}: ${[error.message, error.hint].filter(Boolean).join('. ')}`
    : 'no Orderbeacon server answered';
  notify(`${nameOf(report)}: HTTP ${response.status}, ${why}`, answer);
  notifyNextTry();
}

/** @returns true on the developer's own machine, where orders are tests */
const isOwnMachine = () => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(location.hostname);

async function notifyHowToAllow({ teamId }: OrderReport, response: Response) {
  const answer: Partial<Failure> | null = await response.json().catch(() => null);
  if (answer?.error?.code !== 'domain_not_allowed' || origin === 'null') return;
  if (!isTeamId(teamId)) return;
  const test = isOwnMachine() ? '--test ' : '';
  notify(
    `allow this page, on the server, where Orderbeacon is installed: node_modules/.bin/orderbeacon domain add --team ${teamId} ${test}${location.hostname} (it says so if this team does not exist)`,
  );
}

function watchFetch() {
  const { fetch } = window;
  window.fetch = (input, init) => {
    const answered = fetch(input, init);
    if (typeof input === 'string' && addressOf(input).endsWith(route) && typeof init?.body === 'string') {
      const report: OrderReport = JSON.parse(init.body);
      notify(`${nameOf(report)} is kept in this browser and sent to ${addressOf(input)}`, report);
      answered.then(
        (response) => {
          notifyAnswer(report, response.clone());
          notifyHowToAllow(report, response.clone());
        },
        (error) => {
          notify(`${nameOf(report)} got no answer: ${error.message}`);
          notifyNextTry();
        },
      );
    }
    return answered;
  };
}

function watchBeacons() {
  // A browser can have beacons switched off.
  const { sendBeacon }: Partial<Navigator> = navigator;
  if (sendBeacon) {
    navigator.sendBeacon = (url, body) => {
      const taken = sendBeacon.call(navigator, url, body);
      if (addressOf(`${url}`).endsWith(route)) {
        notify(
          taken ? 'the page is hidden: a waiting order was sent as a beacon' : 'the browser refused a beacon',
          body,
        );
      }
      return taken;
    };
  }
}

/** A `const` of the page. It is no property of `window`, so calls of that name never reach the SDK. */
declare const track: unknown;

/** Logs that the page has a `const track`, once all its scripts have run. */
function watchName() {
  try {
    const { track: own }: { track?: { visitorId?: unknown } } = window;
    if (own?.visitorId && track !== own)
      notify(
        'the page has a const track of its own, which calls reach: give tag and stub another name by data-global',
      );
  } catch {
    // The const has no value, because its script has failed.
  }
}

const tag = () => document.querySelector<HTMLScriptElement>('script[data-debug]')?.dataset ?? {};

function notifyConsent(command: unknown, value: unknown) {
  if (command === 'consent' && typeof value !== 'boolean')
    notify(
      `consent ${JSON.stringify(value)} counts as no, and erases the visitor: only true means yes. Call track('consent', true)`,
    );
}

/** Logs consents that are neither true nor false: those that wait for the script, and all later ones. */
function watchConsent() {
  // biome-ignore lint/suspicious/noExplicitAny: the page may have anything under a name.
  const page = window as any;
  const name = tag().global || 'track';
  for (const [command, value] of page[name]?.orderbeacon ? page[name].q : []) notifyConsent(command, value);
  // The script sets its function after this file has run.
  setTimeout(() => {
    const own = page[name];
    if (typeof own?.teamId !== 'string') return;
    const watched = (command: unknown, value: unknown) => {
      notifyConsent(command, value);
      return own(command, value);
    };
    page[name] = Object.assign(watched, own);
  });
}

function start() {
  const { teamId } = tag();
  if (teamId && !isTeamId(teamId.trim()))
    notify(
      `data-team-id "${teamId}" is no team: that begins with team_ and has 26 more characters. Setup in the console prints the tag`,
    );
  watchConsent();
  if (document.readyState === 'complete') setTimeout(watchName);
  else addEventListener('load', watchName);
  watchFetch();
  watchBeacons();
  addEventListener('offline', () => notify('offline: orders are kept'));
  addEventListener('online', () => notify('online again: waiting orders are sent now'));

  notify(`version ${__VERSION__} on ${origin}; orders waiting: ${waiting().length}`);
  if (origin === 'null') {
    notify(
      'this frame is sandboxed: its origin is hidden and it can store nothing; report from your server with a key',
    );
  }
  if (navigator.globalPrivacyControl) notify('Global Privacy Control is on: no visitor id without consent');
}

if (typeof document === 'object') start();
