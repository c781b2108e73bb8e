import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './freePort.ts';

const xvfb = '/usr/bin/Xvfb';

/** A running WebDriver of WebKitGTK. */
interface WebKitDriver {
  /** Sends a command of W3C WebDriver, and resolves with its value. */
  send<T>(method: string, path: string, body?: object): Promise<T>;
  /** Kills the driver and its browser. */
  kill(): Promise<void>;
}

/** Starts the driver. It gets a new virtual screen, unless its windows should be visible. */
export async function startWebKitDriver(driverPath: string, isHeaded: boolean): Promise<WebKitDriver> {
  const screen = isHeaded || !existsSync(xvfb) ? null : await startScreen();
  const port = await freePort();
  const driver = spawn(driverPath, [`--port=${port}`, '--host=127.0.0.1'], {
    env: {
      ...process.env,
      ...(screen && { DISPLAY: screen.display }),
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(driver, 'exit');
  const hasEnded = () => driver.exitCode !== null || driver.signalCode !== null;

  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' && {
        body: JSON.stringify(body ?? {}),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`);
    return value;
  }

  // It listens some time after its start.
  for (let isUp = false; !isUp; ) {
    isUp = await send('GET', '/status').then(
      () => true,
      () => false,
    );
    if (!isUp && hasEnded()) {
      screen?.process.kill('SIGKILL');
      throw new Error(`WebKit's driver ended with ${await ended}.`);
    }
    if (!isUp) await delay(50);
  }

  return {
    send,
    async kill() {
      // The browser is in the driver's process group.
      if (!hasEnded()) process.kill(-driver.pid!, 'SIGKILL');
      await ended;
      screen?.process.kill('SIGKILL');
    },
  };
}

async function startScreen(): Promise<{ process: ChildProcess; display: string }> {
  const server = spawn(xvfb, ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`Xvfb ended with ${code}.`);
  });
  const [number] = await Promise.race([once(server.stdio[3]!, 'data'), ended]);
  return { process: server, display: `:${String(number).trim()}` };
}
