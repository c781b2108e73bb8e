import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnBrowser, Tab } from './browser.ts';
import { freePort } from './freePort.ts';

const xvfb = '/usr/bin/Xvfb';
const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/**
 * Drives WebKitGTK through W3C WebDriver, on a virtual screen of its own unless its window is to be seen. Its
 * profile lives in memory only.
 */
export async function launchWebKit(driverPath: string, isHeaded: boolean): Promise<OwnBrowser> {
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
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' && {
        body: JSON.stringify(body ?? {}),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const { value } = (await response.json()) as {
      value: { error?: string; message?: string; sessionId?: string };
    };
    if (!response.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`);
    return value;
  };
  await until(() => send('GET', '/status'));
  const { sessionId } = await send('POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] } },
    },
  });
  const session = `/session/${sessionId}`;

  // The first window stays: a new tab can only be opened from one that is there.
  const base = (await send('GET', `${session}/window`)) as unknown as string;

  /** WebDriver has one current window; commands for tabs take turns. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTab = <T>(handle: string, act: () => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      await send('POST', `${session}/window`, { handle });
      return act();
    });
    turn = result.catch(() => {});
    return result;
  };

  const kill = async () => {
    if (driver.exitCode === null) {
      // The browser is in the driver's process group.
      process.kill(-driver.pid!, 'SIGKILL');
      await once(driver, 'exit');
    }
    screen?.process.kill('SIGKILL');
  };

  return {
    engine: 'webkit',
    console: [],
    async newTab() {
      const opened = await inTab(base, () => send('POST', `${session}/window/new`, { type: 'tab' }));
      return tab((opened as unknown as { handle: string }).handle);
    },
    kill,
    async close() {
      await send('DELETE', session).catch(() => {});
      await kill();
    },
  };

  function tab(handle: string): Tab {
    return {
      goto: (url) => inTab(handle, async () => void (await send('POST', `${session}/url`, { url }))),
      run: (body) =>
        inTab(handle, async () => {
          const script = `const done = arguments[0]; (async () => { ${body} })().then(
            (value) => done({ value }), (error) => done({ error: String(error) }))`;
          const answer = (await send('POST', `${session}/execute/async`, { script, args: [] })) as never as {
            value?: never;
            error?: string;
          };
          if (answer.error) throw new Error(answer.error);
          return answer.value as never;
        }),
      close: () => inTab(handle, async () => void (await send('DELETE', `${session}/window`))),
    };
  }
}

async function startScreen(): Promise<{ process: ChildProcess; display: string }> {
  const server = spawn(xvfb, ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(server.stdio[3]!, 'data');
  return { process: server, display: `:${String(number).trim()}` };
}

async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 200; ; left--) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await delay(50);
    }
  }
}
