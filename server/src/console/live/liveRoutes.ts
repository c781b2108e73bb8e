import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { createLiveFeed } from './liveFeed.js';

/** This server and most proxies cut a connection that carries nothing for 60 s. */
const keepAliveMs = 15_000;
/** A browser connects again after this, so that 200 pages do not flood the server. */
const retryMs = 2_000;

/**
 * `GET …/live`: server-sent events (HTML standard, section 9.2) that say only that there is something new. The page then
 * fetches itself. `since` is the time at which it was made.
 */
export function liveRoutes({ ask, clock, isStopping }: ConsoleDeps): Hono<ConsoleEnv> {
  const watch = createLiveFeed(ask, isStopping);

  return new Hono<ConsoleEnv>().get('/', (c) => {
    const { teamId, hash } = c.var.session;
    const since = Number(c.req.query('since') ?? Number.NaN);
    let isNew = false;
    let isEnded = false;
    let wake = () => {};
    const leave = watch({
      teamId,
      sessionHash: hash,
      sinceMs: Number.isSafeInteger(since) && since >= 0 ? since : clock.nowMs(),
      notify() {
        isNew = true;
        wake();
      },
      end() {
        isEnded = true;
        leave();
        wake();
      },
    });
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      const end = () => {
        isEnded = true;
        clearInterval(comments);
        leave();
        wake();
      };
      const comments = setInterval(() => void stream.write(':\n\n'), keepAliveMs).unref();
      stream.onAbort(end);
      try {
        await stream.writeSSE({ event: 'hello', data: '', retry: retryMs });
        while (!isEnded) {
          if (isNew) {
            isNew = false;
            await stream.writeSSE({ event: 'news', data: '' });
            continue;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        end();
      }
    });
  });
}
