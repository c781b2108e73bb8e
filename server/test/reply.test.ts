import { type Context, Hono } from 'hono';
import { expect, it } from 'vitest';
import type { AppEnv } from '../src/http/context.js';
import { reply } from '../src/http/reply.js';

/** The header `X-Early` of an answer, set by a middleware before `next()` in one of the two ways. */
async function earlyHeader(
  setHeader: (c: Context<AppEnv>) => void,
  answer: (c: Context<AppEnv>) => Response,
): Promise<string | null> {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set('headers', {});
    setHeader(c);
    await next();
  });
  app.get('/', answer);
  return (await app.request('/')).headers.get('x-early');
}

it('Hono drops a header that c.header() set before next() when the handler makes its own Response', async () => {
  const setHeader = (c: Context<AppEnv>) => c.header('X-Early', 'yes');
  expect(await earlyHeader(setHeader, () => new Response('made by the handler'))).toBeNull();
  expect(await earlyHeader(setHeader, (c) => c.text('made by Hono'))).toBe('yes');
});

it('a header in c.get("headers") reaches the answer of reply', async () => {
  const setHeader = (c: Context<AppEnv>) => {
    c.get('headers')['X-Early'] = 'yes';
  };
  expect(await earlyHeader(setHeader, (c) => reply(c, 200, '{}'))).toBe('yes');
});
