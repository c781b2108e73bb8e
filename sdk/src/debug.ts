/**
 * What `data-debug` prints: a second file that only that attribute loads, so that it costs nobody else a byte. It
 * loads before the tracker starts and watches the page's requests, so that the code it reports on is the very code
 * that every page runs.
 */

import type { Failure, OrderReport, Success } from './contract';
import { readJson } from './json';
import type { Waiting } from './outbox';
import { keyPrefix } from './storage';

const route = '/svc-api/v1/orders';
/** Says nothing where the shop has put another object in the console's place. */
const notify = (text: string, ...details: unknown[]) => console.info?.(`orderbeacon: ${text}`, ...details);

/** Reports, and calls that no script has taken yet, which have no `body`. */
const waiting = (): Partial<Waiting>[] => {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(keyPrefix))
      .map((key) => readJson(localStorage.getItem(key)));
  } catch {
    return [];
  }
};

const nameOf = ({ orderId, amount, currency }: OrderReport) =>
  `order ${orderId ?? '(without orderId: reported again, it would be another one)'} of ${amount} ${currency ?? 'USD'}`;

const notifyNextTry = () => {
  // After the tracker has written down when it tries again.
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
  const answer: Partial<Pick<Success<{ orderNumber: string; isNew: boolean }>, 'data'> & Failure> = Object(
    await response.json().catch(() => null),
  );
  if (answer.data?.orderNumber) {
    const { orderNumber, isNew } = answer.data;
    return notify(
      `${nameOf(report)} is stored as ${orderNumber}${isNew ? '' : ', which was known already'}`,
      answer.data,
    );
  }
  const { error } = answer;
  const why = error?.code ? `${error.code}: ${error.message}` : 'no Orderbeacon server answered';
  notify(`${nameOf(report)}: HTTP ${response.status}, ${why}`, answer);
  notifyNextTry();
}

/** Pages of the developer's own machine; their orders are no real ones. */
const isOwnMachine = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(location.hostname);

async function notifyHowToAllow({ teamId }: OrderReport, response: Response) {
  const answer: Partial<Failure> | null = await response.json().catch(() => null);
  if (answer?.error?.code !== 'domain_not_allowed' || origin === 'null') return;
  const test = isOwnMachine ? '--test ' : '';
  notify(
    `allow this page, on the server, where Orderbeacon is installed: node_modules/.bin/orderbeacon domain add --team ${teamId} ${test}${location.hostname}`,
  );
}

const { fetch } = window;
window.fetch = (input, init) => {
  const answered = fetch(input, init);
  if (typeof input === 'string' && input.endsWith(route) && typeof init?.body === 'string') {
    const report: OrderReport = JSON.parse(init.body);
    notify(`${nameOf(report)} is kept in this browser and sent to ${input}`, report);
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

const sendBeacon = navigator.sendBeacon.bind(navigator);
navigator.sendBeacon = (url, body) => {
  const taken = sendBeacon(url, body);
  if (`${url}`.endsWith(route)) {
    notify(
      taken ? 'the page is hidden: what waits went out as a beacon' : 'the browser took no beacon',
      body,
    );
  }
  return taken;
};

addEventListener('offline', () => notify('offline: orders are kept'));
addEventListener('online', () => notify('online again: what waits is sent now'));

notify(`version ${__VERSION__} on ${origin}; ${waiting().length} orders wait from before`);
if (origin === 'null') {
  notify(
    'this frame is sandboxed: its origin is hidden and nothing can be kept; report from your server with a key',
  );
}
if (navigator.globalPrivacyControl) notify('Global Privacy Control is on: no visitor id without consent');
