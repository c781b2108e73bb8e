import type { Chance } from './random';
import type { Server, ServerAnswer } from './server';
import type { Time } from './time';

/** The network between browser and server. */
export interface Network {
  /** The rate of each fault, from 0 to 1. */
  faults: { lost: number; cut: number; proxied: number; doubled: number; slow: number };
  isOnline: boolean;
  /** The number of requests sent. */
  requests: number;
  /** Carries a report to the server, and its answer back. If either is lost, the callback is never called. */
  carry(body: string, onAnswer: (answer: ServerAnswer) => void, onCut: () => void): void;
}

/** Answers of proxies, firewalls, hotels and other programs. */
const proxies: ServerAnswer[] = [
  { status: 404, body: '<h1>Not found</h1>' },
  { status: 403, body: '{"error":{"code":"blocked","message":"firewall"}}' },
  { status: 401, body: 'Unauthorized' },
  { status: 405, body: '' },
  { status: 413, body: '<h1>Too large</h1>' },
  { status: 425, body: '' },
  { status: 503, body: 'busy', retryAfter: '3600' },
  { status: 200, body: '<h1>Welcome to our hotel</h1>' },
  { status: 200, body: '{"success":true,"data":{"id":7}}' },
  // Answers of a service worker to another order.
  { status: 200, body: '{"success":true,"data":{"orderNumber":"ORD-2","reportId":"orderbeacon:2"}}' },
  {
    status: 400,
    body: '{"success":false,"error":{"code":"invalid_request"},"requestId":"r2","reportId":"orderbeacon:2"}',
  },
  { status: 200, body: 'null' },
];

export function createNetwork(time: Time, chance: Chance, server: Server): Network {
  const delayMs = () =>
    chance.is(network.faults.slow) ? chance.between(3000, 90_000) : chance.between(5, 300);

  const reach = (body: string, onAnswer: (answer: ServerAnswer) => void, onCut: () => void) => {
    time.plan(delayMs(), () => {
      const answer = server.receive(body);
      if (answer === null || chance.is(network.faults.cut))
        return chance.is(0.5) && time.plan(delayMs(), onCut);
      time.plan(delayMs(), () => onAnswer(answer));
    });
  };

  const network: Network = {
    faults: { lost: 0, cut: 0, proxied: 0, doubled: 0, slow: 0 },
    isOnline: true,
    requests: 0,
    carry(body, onAnswer, onCut) {
      network.requests++;
      if (!network.isOnline) return time.plan(chance.between(0, 20), onCut);
      if (chance.is(network.faults.lost)) return chance.is(0.5) && time.plan(delayMs(), onCut);
      if (chance.is(network.faults.proxied))
        return time.plan(delayMs(), () => onAnswer(chance.oneOf(proxies)));
      reach(body, onAnswer, onCut);
      if (chance.is(network.faults.doubled))
        reach(
          body,
          () => {},
          () => {},
        );
    },
  };
  return network;
}
