import type { DatabaseProxy } from '../test/kit/databaseProxy.js';

/** The number of faults so far, by kind. */
export type FaultCounts = Record<'reset' | 'resetSome' | 'hold' | 'slow' | 'refuse' | 'terminate', number>;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Held connections are reset after this time, although a firewall may hold them for longer. */
const heldAtMostMs = 20_000;

/**
 * Makes faults on the connections to a database, one after the other, until it is stopped. Then it resets the held
 * connections, because otherwise they would wait for ever, and lets all others pass.
 * @param terminate ends all connections at the database itself, as a restart does
 */
export function startFaults(proxy: DatabaseProxy, random: () => number, terminate: () => Promise<unknown>) {
  const counts: FaultCounts = { reset: 0, resetSome: 0, hold: 0, slow: 0, refuse: 0, terminate: 0 };
  let isOver = false;
  let lastReleaseMs = performance.now();

  async function lasting(fault: Parameters<DatabaseProxy['set']>[0], ms: number): Promise<void> {
    proxy.set(fault);
    await sleep(ms);
    proxy.set({ kind: 'none' });
  }

  const kinds = {
    reset: async () => void proxy.reset(),
    resetSome: async () => void proxy.reset(() => random() < 0.4),
    hold: () => lasting({ kind: 'hold' }, 100 + random() * 2_000),
    slow: () => lasting({ kind: 'slow', delayMs: 5 + random() * 100 }, 1_000),
    refuse: () => lasting({ kind: 'refuse' }, 100 + random() * 1_000),
    terminate: () => terminate(),
  } satisfies Record<keyof FaultCounts, () => Promise<unknown>>;
  /** The kinds of faults to choose from. Cuts are more frequent than the others. */
  const order: (keyof FaultCounts)[] = [
    'reset',
    'resetSome',
    'resetSome',
    'hold',
    'slow',
    'refuse',
    'terminate',
  ];

  const running = (async () => {
    while (!isOver) {
      await sleep(50 + random() * 1_200);
      const kind = order[Math.floor(random() * order.length)]!;
      counts[kind]++;
      await kinds[kind]();
      if (performance.now() - lastReleaseMs < heldAtMostMs) continue;
      lastReleaseMs = performance.now();
      proxy.resetHeld();
    }
    proxy.resetHeld();
  })();

  return {
    counts,
    async stop() {
      isOver = true;
      await running;
    },
  };
}
