import type { OwnBrowser, Tab } from './browser.ts';
import { patientMs } from './patience.ts';
import { startWebKitDriver } from './webkitDriver.ts';

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** Drives WebKitGTK through W3C WebDriver. Its profile is in memory only. */
export async function launchWebKit(driverPath: string, isHeaded: boolean): Promise<OwnBrowser> {
  const { send, kill } = await startWebKitDriver(driverPath, isHeaded);
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
        timeouts: { script: patientMs, pageLoad: patientMs },
      },
    },
  }).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  const session = `/session/${sessionId}`;

  // The first window stays open, because a new tab can only be opened from an existing one.
  const base = await send<string>('GET', `${session}/window`);

  /** The last command. WebDriver has one current window, so commands for tabs run one by one. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTab = <T>(handle: string, act: () => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      await send('POST', `${session}/window`, { handle });
      return act();
    });
    turn = result.catch(() => {});
    return result;
  };

  return {
    engine: 'webkit',
    console: [],
    async newTab() {
      const { handle } = await inTab(base, () =>
        send<{ handle: string }>('POST', `${session}/window/new`, { type: 'tab' }),
      );
      return tab(handle);
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
      run: <T>(body: string) =>
        inTab(handle, async () => {
          const script = `const done = arguments[0]; (async () => { ${body} })().then(
            (value) => done({ value }), (error) => done({ error: String(error) }))`;
          const { error, value } = await send<{ value: T; error?: string }>(
            'POST',
            `${session}/execute/async`,
            { script, args: [] },
          );
          if (error) throw new Error(error);
          return value;
        }),
      close: () => inTab(handle, async () => void (await send('DELETE', `${session}/window`))),
    };
  }
}
