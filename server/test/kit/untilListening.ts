import { connect } from 'node:net';
import { expect } from 'vitest';

/** Resolves when a process listens on a port of this machine. */
export async function untilListening(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        new Promise((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(true));
          socket.once('error', () => resolve(false));
          socket.once('close', () => resolve(false));
          socket.once('connect', () => socket.destroy());
        }),
    )
    .toBe(true);
}
